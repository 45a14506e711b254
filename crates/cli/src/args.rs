//! The command line.

use clap::{Args, Parser, Subcommand, ValueEnum};
use plumb_cfa::{DataModel, Integers, Semantics, SignedOverflow};
use std::path::PathBuf;

/// Can this C program ever violate this property?
#[derive(Debug, Parser)]
#[command(name = "plumb", version, propagate_version = true, max_term_width = 110)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Verify a program: exit code 0 proved, 1 refuted, 2 unknown, 3 bad input or usage
    Check(CheckArgs),
    /// Confirm or refute a witness (YAML 2.0): exit code 0 confirmed, 1 refuted, 2 not decided, 3 bad input or usage
    Validate(ValidateArgs),
    /// Run sets of tasks under limits, with tables and plots; goes on where an interrupted run ended
    Bench(BenchArgs),
    /// Execute a program with plumb's interpreter; the exit status is the program's
    Run(RunArgs),
    /// Print what data-flow analyses know before each line: constants, bounds, reaching definitions, dead code
    Analyze(AnalyzeArgs),
    /// Print the control-flow automaton of a program
    Cfa(CfaArgs),
    /// List the configurations for --config
    Configs {
        /// As docs/configurations.md
        #[arg(long)]
        markdown: bool,
    },
    /// Print completions for a shell
    Completions {
        /// Which
        shell: clap_complete::Shell,
    },
    /// Write the manual pages into a folder
    Man {
        /// Where
        #[arg(value_name = "DIR")]
        dir: PathBuf,
    },
    /// One engine in a process of its own; the request comes on standard input.
    #[command(hide = true)]
    Worker,
}

/// What the C program means.
#[derive(Clone, Copy, Debug, Args)]
pub struct MeaningArgs {
    /// Sizes of types [default: that of the task, else ILP32]
    #[arg(long, value_name = "MODEL", ignore_case = true)]
    pub data_model: Option<Model>,
    /// Signed overflow wraps around, or is assumed not to happen
    #[arg(long, value_name = "WHAT", default_value = "wrap")]
    pub signed_overflow: Overflow,
    /// Machine integers, or the mathematical ones of the papers
    #[arg(long, value_name = "WHICH", default_value = "machine")]
    pub integers: IntegerKind,
    /// Whether malloc and its like can return a null pointer
    #[arg(long, value_name = "WHAT", default_value = "succeeds")]
    pub malloc: Malloc,
}

/// `--data-model`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "UPPER")]
#[allow(missing_docs)]
pub enum Model {
    Ilp32,
    Lp64,
}

/// `--signed-overflow`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[allow(missing_docs)]
pub enum Overflow {
    Wrap,
    Assume,
}

/// `--integers`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[allow(missing_docs)]
pub enum IntegerKind {
    Machine,
    Ideal,
}

/// `--witness-format`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[allow(missing_docs)]
pub enum WitnessFormat {
    #[value(name = "2.0")]
    Yaml20,
    #[value(name = "2.1")]
    Yaml21,
    #[value(name = "graphml")]
    GraphMl,
}

impl From<WitnessFormat> for plumb_export::witness::Format {
    fn from(f: WitnessFormat) -> Self {
        match f {
            WitnessFormat::Yaml20 => Self::Yaml20,
            WitnessFormat::Yaml21 => Self::Yaml21,
            WitnessFormat::GraphMl => Self::GraphMl,
        }
    }
}

/// `--assert`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[allow(missing_docs)]
pub enum Asserted {
    Bounds,
}

/// `--malloc`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[allow(missing_docs)]
pub enum Malloc {
    MayFail,
    Succeeds,
}

impl MeaningArgs {
    /// The semantics, with the data model of the task where none was given.
    pub fn semantics(self, task: Option<DataModel>) -> Semantics {
        let model = match self.data_model {
            Some(Model::Ilp32) => DataModel::Ilp32,
            Some(Model::Lp64) => DataModel::Lp64,
            None => task.unwrap_or_default(),
        };
        let signed_overflow = match self.signed_overflow {
            Overflow::Wrap => SignedOverflow::Wrap,
            Overflow::Assume => SignedOverflow::Assume,
        };
        let integers = match self.integers {
            IntegerKind::Machine => Integers::Machine,
            IntegerKind::Ideal => Integers::Ideal,
        };
        Semantics { model, signed_overflow, integers, malloc_may_fail: self.malloc == Malloc::MayFail }
    }
}

/// `plumb check`.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// C files that make one program (.c or preprocessed .i), or one SV-COMP task definition (.yml)
    #[arg(required = true, value_name = "FILE|TASK.yml")]
    pub files: Vec<PathBuf>,
    /// The property [default: the task's, else that reach_error, __VERIFIER_error, a failing assert or the label ERROR is not reached]
    #[arg(long, value_name = "P.prp")]
    pub property: Option<PathBuf>,
    /// Observer automata instead, each with its own verdict (docs/observer-automata.md), or a .prp file whose lines are checked one by one
    #[arg(long, value_name = "S.spec", conflicts_with_all = ["property", "witness", "test", "dot", "sarif", "report"])]
    pub spec: Option<PathBuf>,
    /// Also check assertions that the program does not state: that accesses to arrays of known length are within bounds (not those through other pointers)
    #[arg(long = "assert", value_name = "WHAT", conflicts_with_all = ["spec", "witness", "test"])]
    pub asserted: Option<Asserted>,
    /// The meaning of the program.
    #[command(flatten)]
    pub meaning: MeaningArgs,
    /// Use this configuration only (see `plumb configs`)
    #[arg(long, value_name = "NAME")]
    pub config: Option<String>,
    /// Limit in seconds of elapsed time
    #[arg(long, value_name = "SECONDS", default_value = "900", value_parser = seconds)]
    pub time: f64,
    /// Limit in seconds of the processor time of all engines together; engines then divide this up, not the elapsed time [default: that of the process, if it
    /// has one]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub cpu_time: Option<f64>,
    /// Memory limit: a number with K, M or G (M if none) [default: three quarters of the machine's]
    #[arg(long, value_name = "SIZE", value_parser = bytes)]
    pub memory: Option<u64>,
    /// How many engines run at the same time
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub jobs: u16,
    /// Write a witness for a definite verdict
    #[arg(long, value_name = "W.yml")]
    pub witness: Option<PathBuf>,
    /// Its format: YAML 2.0 or 2.1, or GraphML 1.0
    #[arg(long, value_name = "FORMAT", default_value = "2.0", requires = "witness")]
    pub witness_format: WitnessFormat,
    /// Write a C test that reproduces a violation
    #[arg(long, value_name = "T.c")]
    pub test: Option<PathBuf>,
    /// Write the engine's reachability graph with labels and covers for Graphviz, whatever the verdict (configurations of UFO)
    #[arg(long, value_name = "G.dot")]
    pub dot: Option<PathBuf>,
    /// Write a page about the answer: source, invariants, error path, graphs, statistics
    #[arg(long, value_name = "R.html")]
    pub report: Option<PathBuf>,
    /// Write the answer as SARIF 2.1.0, for code scanners and editors
    #[arg(long, value_name = "S.sarif")]
    pub sarif: Option<PathBuf>,
    /// Print the answer as JSON
    #[arg(long)]
    pub json: bool,
    /// Say what ran, in which order and for how long, and what came of it
    #[arg(long, conflicts_with = "json")]
    pub explain: bool,
    /// Print figures of the engines after the answer; the JSON has them anyway
    #[arg(long)]
    pub statistics: bool,
    /// The process whose end ends this one.
    #[arg(long, hide = true)]
    pub parent: Option<u32>,
}

/// `plumb validate`.
#[derive(Debug, Args)]
pub struct ValidateArgs {
    /// The witness of a proof or of a violation
    #[arg(value_name = "WITNESS.yml")]
    pub witness: PathBuf,
    /// The C files of the program, or its task definition; property and data model are those of the witness
    #[arg(required = true, value_name = "FILE|TASK.yml")]
    pub files: Vec<PathBuf>,
    /// The meaning of the program.
    #[command(flatten)]
    pub meaning: MeaningArgs,
    /// Use this configuration only (see `plumb configs`)
    #[arg(long, value_name = "NAME")]
    pub config: Option<String>,
    /// Limit in seconds of elapsed time
    #[arg(long, value_name = "SECONDS", default_value = "90", value_parser = seconds)]
    pub time: f64,
    /// Limit in seconds of the processor time of all engines together [default: that of the process, if it has one]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub cpu_time: Option<f64>,
    /// Memory limit: a number with K, M or G (M if none) [default: three quarters of the machine's]
    #[arg(long, value_name = "SIZE", value_parser = bytes)]
    pub memory: Option<u64>,
    /// How many engines run at the same time
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub jobs: u16,
    /// Print the judgement as JSON
    #[arg(long)]
    pub json: bool,
    /// The process whose end ends this one.
    #[arg(long, hide = true)]
    pub parent: Option<u32>,
}

/// `plumb bench`.
#[derive(Debug, Args)]
pub struct BenchArgs {
    /// Sets (lines of path, verdict and data model), folders, task definitions, C files
    #[arg(required_unless_present = "compare", value_name = "SET|DIR|TASK.yml|FILE.c")]
    pub inputs: Vec<PathBuf>,
    /// The folder for the journal, the results (TSV) and the table (HTML); the same command with the same folder goes on where it ended
    #[arg(long, value_name = "DIR", default_value = "bench-results")]
    pub out: PathBuf,
    /// Forget what the folder holds
    #[arg(long)]
    pub fresh: bool,
    /// CPU seconds for each task; one that does not use them is ended after four times as long
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds)]
    pub time: f64,
    /// Memory for each task: a number with K, M or G (M if none) [default: three quarters of the machine's, shared]
    #[arg(long, value_name = "SIZE", value_parser = bytes)]
    pub memory: Option<u64>,
    /// How many tasks run at the same time
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub jobs: u16,
    /// How many engines each task may run at the same time
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub engines: u16,
    /// Keep the witness of every definite verdict in the folder `witnesses`, and validate it under the same limits
    #[arg(long)]
    pub validate: bool,
    /// Only tasks whose name contains this
    #[arg(long, value_name = "TEXT")]
    pub only: Option<String>,
    /// Only so many tasks, evenly spread over the list
    #[arg(long, value_name = "N")]
    pub sample: Option<usize>,
    /// Compare two files of results instead
    #[arg(long, value_names = ["A.tsv", "B.tsv"], num_args = 2, conflicts_with = "inputs")]
    pub compare: Vec<PathBuf>,
    /// The page of a comparison, with plots
    #[arg(long, value_name = "C.html", requires = "compare")]
    pub html: Option<PathBuf>,
    /// Options of `plumb check` for every task, after `--`
    #[arg(last = true, value_name = "OPTIONS")]
    pub options: Vec<String>,
}

/// `plumb run`.
#[derive(Debug, Args)]
pub struct RunArgs {
    /// C files that make one program
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The values of __VERIFIER_nondet_* and of functions without a body, one per line in the order they are asked for [default: all zero]
    #[arg(long, value_name = "FILE", conflicts_with = "seed")]
    pub input: Option<PathBuf>,
    /// Random inputs from this seed
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// The meaning of the program.
    #[command(flatten)]
    pub meaning: MeaningArgs,
}

/// `plumb analyze`.
#[derive(Debug, Args)]
pub struct AnalyzeArgs {
    /// C files that make one program
    #[arg(required_unless_present = "list", value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The analyses, separated by commas; they strengthen each other (see --list)
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "value,interval,reachdef")]
    pub cpa: Vec<String>,
    /// Watch the program with the observer automata of this file instead (see docs/observer-automata.md): exit code 2 if one may reach its error
    #[arg(long, value_name = "A.spec")]
    pub spec: Option<PathBuf>,
    /// List the analyses
    #[arg(long)]
    pub list: bool,
    /// Limit in seconds
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds)]
    pub time: f64,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
    /// The meaning of the program.
    #[command(flatten)]
    pub meaning: MeaningArgs,
}

/// `plumb cfa`.
#[derive(Debug, Args)]
pub struct CfaArgs {
    /// C files that make one program
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// As a Graphviz graph
    #[arg(long)]
    pub dot: bool,
    /// The meaning of the program.
    #[command(flatten)]
    pub meaning: MeaningArgs,
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.strip_suffix('s').unwrap_or(text).parse::<f64>() {
        Ok(s) if s > 0.0 && s <= 1e9 => Ok(s),
        _ => Err("expected a positive number of seconds".to_owned()),
    }
}

fn bytes(text: &str) -> Result<u64, String> {
    let upper = text.to_ascii_uppercase();
    let plain = upper.strip_suffix("IB").or_else(|| upper.strip_suffix('B')).unwrap_or(&upper);
    let (digits, shift) = match plain.as_bytes().last() {
        Some(b'K') => (&plain[..plain.len() - 1], 10),
        Some(b'M') => (&plain[..plain.len() - 1], 20),
        Some(b'G') => (&plain[..plain.len() - 1], 30),
        _ => (plain, 20),
    };
    match digits.trim().parse::<f64>() {
        Ok(n) if n > 0.0 && n < 1e9 => Ok((n * f64::from(1u32 << shift)) as u64),
        _ => Err("expected a size such as 500M or 4G".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn sizes_and_times() {
        assert_eq!(bytes("4G"), Ok(4 << 30));
        assert_eq!(bytes("1.5GiB"), Ok(3 << 29));
        assert_eq!(bytes("500"), Ok(500 << 20));
        assert_eq!(bytes("64KB"), Ok(64 << 10));
        for bad in ["", "G", "-1M", "x", "1T", "NaN"] {
            assert!(bytes(bad).is_err(), "{bad}");
        }
        assert_eq!(seconds("0.5"), Ok(0.5));
        assert_eq!(seconds("20s"), Ok(20.0));
        assert!(seconds("0").is_err() && seconds("inf").is_err() && seconds("nan").is_err());
    }
}
