//! The paper's figures, as printed. A dash there is `None` here.

/// A row of Table 1: the paper's name of the configuration, solved, safe, unsafe, unsound, total time.
pub type Row = (&'static str, u32, u32, u32, u32, &'static str);

/// Table 1, in the order of plumb's configurations.
pub const TABLE_1: [Row; 5] = [
    ("uUFO", 78, 22, 56, 0, "8,289"),
    ("cpUFO", 79, 22, 57, 1, "7,838"),
    ("bpUFO", 69, 17, 52, 1, "11,260"),
    ("CP", 49, 10, 39, 0, "15,363"),
    ("BP", 71, 19, 52, 1, "10,018"),
];

/// Time in seconds and iterations.
pub type Run = Option<(f64, u32)>;

/// A program of Table 2, whether it is safe, and the runs of uUFO, cpUFO, bpUFO and BP (CP solved one of the programs and is omitted there).
pub type Program = (&'static str, bool, [Run; 4]);

/// The programs of Table 2 that are public.
pub const TABLE_2: [Program; 30] = [
    ("kundu1", false, [None, Some((24.22, 4)), Some((122.88, 4)), Some((33.39, 3))]),
    ("kundu2", false, [Some((1.24, 2)), Some((2.74, 2)), Some((8.15, 2)), Some((8.6, 2))]),
    ("s3_srvr_11", false, [Some((1.91, 4)), Some((2.78, 4)), Some((118.41, 4)), Some((4.25, 3))]),
    ("s3_srvr_12", false, [Some((4.17, 4)), Some((5.07, 3)), Some((5.36, 3)), Some((8.19, 3))]),
    ("token_ring.08", false, [Some((12.34, 4)), Some((13.5, 4)), Some((19.64, 3)), Some((14.15, 3))]),
    ("token_ring.09", false, [Some((12.54, 4)), Some((22.66, 4)), None, Some((167.49, 3))]),
    ("token_ring.10", false, [Some((15.6, 4)), Some((14.02, 3)), None, None]),
    ("token_ring.11", false, [Some((29.69, 4)), Some((22.47, 4)), Some((156.76, 3)), Some((66.59, 3))]),
    ("token_ring.12", false, [Some((26.94, 4)), Some((13.98, 3)), None, None]),
    ("token_ring.13", false, [Some((36.56, 4)), Some((34.17, 4)), None, None]),
    ("token_ring.14", false, [Some((10.3, 3)), Some((33.49, 4)), None, None]),
    ("token_ring.15", false, [Some((51.79, 4)), Some((34.19, 4)), None, None]),
    ("toy1", false, [Some((96.49, 10)), Some((79.0, 9)), Some((13.54, 3)), None]),
    ("toy2", false, [Some((12.83, 5)), Some((60.73, 8)), None, None]),
    ("pc_sfifo_1", true, [None, None, Some((3.51, 3)), None]),
    ("s3_clnt_1", true, [Some((11.03, 10)), Some((15.68, 10)), None, Some((14.52, 5))]),
    ("s3_clnt_2", true, [Some((16.0, 10)), Some((20.02, 10)), None, None]),
    ("s3_clnt_3", true, [Some((13.02, 10)), Some((17.42, 10)), None, None]),
    ("s3_clnt_4", true, [Some((13.4, 10)), Some((17.45, 10)), None, None]),
    ("s3_srvr_1a", true, [Some((5.2, 10)), Some((5.16, 8)), Some((0.76, 4)), Some((0.43, 3))]),
    ("s3_srvr_1b", true, [Some((1.37, 7)), Some((2.9, 7)), Some((0.89, 5)), None]),
    ("s3_srvr_2", true, [Some((171.15, 17)), Some((184.01, 17)), None, None]),
    ("s3_srvr_3", true, [Some((133.07, 17)), Some((147.55, 17)), None, Some((33.71, 5))]),
    ("s3_srvr_4", true, [None, None, None, Some((8.0, 4))]),
    ("s3_srvr_8", true, [Some((101.4, 14)), Some((115.08, 14)), None, None]),
    ("token_ring.01", true, [Some((98.18, 18)), Some((23.64, 10)), Some((0.69, 4)), Some((0.69, 4))]),
    ("token_ring.02", true, [None, None, Some((2.15, 4)), Some((2.63, 4))]),
    ("token_ring.03", true, [None, None, Some((76.18, 4)), None]),
    ("token_ring.04", true, [None, None, None, Some((152.62, 4))]),
    ("token_ring.05", true, [None, None, None, Some((149.35, 4))]),
];
