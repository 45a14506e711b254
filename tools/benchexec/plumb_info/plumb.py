"""BenchExec tool-info module for plumb.

Named in plumb.xml as plumb_info.plumb; Python finds it, and the shell finds plumb, with

    PYTHONPATH=tools/benchexec PATH=$PWD/target/release:$PATH benchexec --no-container tools/benchexec/plumb.xml
"""

import benchexec.result as result
import benchexec.tools.template
from benchexec.tools.sv_benchmarks_util import ILP32, LP64, get_data_model_from_task


class Tool(benchexec.tools.template.BaseTool2):
    """plumb: a software model checker for C with certified verdicts."""

    # What the program needs besides itself: Z3 is beside it in a release archive.
    REQUIRED_PATHS = ["bin", "lib"]

    def executable(self, tool_locator):
        return tool_locator.find_executable("plumb", subdir="bin")

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="plumb")

    def name(self):
        return "plumb"

    def project_url(self):
        return ""

    def cmdline(self, executable, options, task, rlimits):
        command = [executable, "check", *options]
        if task.property_file:
            command += ["--property", task.property_file]
        model = get_data_model_from_task(task, {ILP32: "ILP32", LP64: "LP64"})
        if model:
            command += ["--data-model", model]
        if rlimits.cputime and "--cpu-time" not in options:
            command += ["--cpu-time", str(rlimits.cputime)]
        if rlimits.walltime and "--time" not in options:
            command += ["--time", str(rlimits.walltime)]
        if rlimits.memory and "--memory" not in options:
            # Something is left for the parent process.
            command += ["--memory", f"{rlimits.memory // 1000 * 9 // 10 // 1000}M"]
        return [*command, *task.input_files_or_identifier]

    def determine_result(self, run):
        # The verdict is the exit code: 0 proved, 1 refuted, 2 unknown, 3 bad input or usage.
        if run.was_timeout:
            return result.RESULT_TIMEOUT
        if run.exit_code.signal:
            return f"KILLED BY SIGNAL {run.exit_code.signal}"
        code = run.exit_code.value
        if code == 0:
            return result.RESULT_TRUE_PROP
        if code == 1:
            return result.RESULT_FALSE_REACH
        if code == 2:
            text = "\n".join(run.output)
            if "the time limit was reached" in text or "no answer within" in text:
                return result.RESULT_UNKNOWN + " (time)"
            if "the memory limit was reached" in text:
                return result.RESULT_UNKNOWN + " (memory)"
            return result.RESULT_UNKNOWN
        return result.RESULT_ERROR
