//! The recorded traces: every element equal in both libraries, every answer the recorded one.

mod common;

use common::replay::Prepared;
use common::to_ppl;
use plumb_num::trace::Trace;
use plumb_num::{Poly, Polyhedra};
use plumb_num_oracle as ppl;

fn traces() -> Vec<(String, Trace)> {
    let folders = [concat!(env!("CARGO_MANIFEST_DIR"), "/benches/data"), concat!(env!("CARGO_MANIFEST_DIR"), "/benches/data/linear")];
    let entries = folders.iter().flat_map(|f| std::fs::read_dir(f).expect("the traces are in the repository").flatten());
    let mut files: Vec<_> = entries.map(|e| e.path()).collect();
    files.retain(|p| p.extension().is_some_and(|x| x == "pnt"));
    files.sort();
    let read = |p: &std::path::PathBuf| {
        let bytes = std::fs::read(p).expect("a file of the repository can be read");
        (p.display().to_string(), Trace::from_bytes(&bytes).unwrap_or_else(|e| panic!("{}: {e}", p.display())))
    };
    files.iter().map(read).collect()
}

#[test]
fn traces_replay_with_the_recorded_answers() {
    let traces = traces();
    assert!(traces.len() >= 80);
    for (name, trace) in traces {
        assert_eq!(trace.replay(&Polyhedra::default()), Ok(()), "{name}");
    }
}

#[test]
fn every_element_agrees_with_ppl() {
    let session = match ppl::Session::open() {
        Ok(s) => s,
        Err(why) => {
            eprintln!("not compared: {why}");
            return;
        }
    };
    for (name, trace) in traces() {
        let mut mine: Vec<Poly> = Vec::new();
        assert_eq!(trace.replay_seeing(&Polyhedra::default(), |e| mine.push(e.clone())), Ok(()), "{name}");
        let dims = trace.dims() as usize;
        let mut next = mine.iter().enumerate();
        Prepared::new(&session, &trace).run(|theirs| {
            let (i, e) = next.next().expect("both make the same number of elements");
            assert!(to_ppl(&session, dims, e) == *theirs, "{name}, element {i}: {e:?}");
        });
    }
}
