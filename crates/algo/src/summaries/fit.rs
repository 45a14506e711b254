//! Polynomials through points: integer coefficients such that every row satisfies `Σ cᵢ·mᵢ = y`.

use plumb_term::IBig;

/// So many rows more than unknowns must agree.
const CONFIRMED: usize = 2;

/// The coefficients for rows `m₁ … mₙ y`; unknowns that the rows do not determine are zero. None if there are none, or too few rows to believe them.
pub fn fit(rows: &[Vec<IBig>]) -> Option<Vec<IBig>> {
    let width = rows.first()?.len() - 1;
    // In echelon form: each row with its first column that is not zero, ascending.
    let mut basis: Vec<(usize, Vec<IBig>)> = Vec::new();
    for row in rows {
        let mut row = row.clone();
        for (pivot, b) in &basis {
            if row[*pivot] != IBig::ZERO {
                let (mine, theirs) = (row[*pivot].clone(), b[*pivot].clone());
                row.iter_mut().zip(b).for_each(|(r, b)| *r = &*r * &theirs - b * &mine);
            }
        }
        match row.iter().position(|n| *n != IBig::ZERO) {
            None => {}
            Some(p) if p == width => return None,
            Some(p) => {
                let at = basis.partition_point(|b| b.0 < p);
                basis.insert(at, (p, row));
            }
        }
    }
    if rows.len() < basis.len() + CONFIRMED {
        return None;
    }
    let mut found = vec![IBig::ZERO; width];
    for (pivot, row) in basis.iter().rev() {
        let rest = (pivot + 1..width).fold(row[width].clone(), |sum, j| sum - &row[j] * &found[j]);
        if &rest % &row[*pivot] != IBig::ZERO {
            return None;
        }
        found[*pivot] = rest / &row[*pivot];
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::fit;
    use plumb_term::IBig;

    fn row(r: &[i64]) -> Vec<IBig> {
        r.iter().map(|n| IBig::from(*n)).collect()
    }

    fn found(rows: &[&[i64]]) -> Option<Vec<IBig>> {
        fit(&rows.iter().map(|r| row(r)).collect::<Vec<_>>())
    }

    #[test]
    fn lines_products_and_what_is_neither() {
        // 2x + 3.
        assert_eq!(found(&[&[1, 0, 3], &[1, 1, 5], &[1, 2, 7], &[1, 5, 13]]), Some(row(&[3, 2])));
        // One row too few to believe it.
        assert_eq!(found(&[&[1, 0, 3], &[1, 1, 5], &[1, 2, 7]]), None);
        // x·y, with the columns 1, x, y, xy in any order of rows.
        let points = [(2, 3), (0, 1), (1, 1), (4, 2), (3, 5), (1, 0)];
        let rows: Vec<Vec<i64>> = points.iter().map(|(x, y)| vec![1, *x, *y, x * y, x * y]).collect();
        assert_eq!(found(&rows.iter().map(Vec::as_slice).collect::<Vec<_>>()), Some(row(&[0, 0, 0, 1])));
        // Powers of two are on no line, halves have no integer coefficients.
        assert_eq!(found(&[&[1, 0, 1], &[1, 1, 2], &[1, 2, 4], &[1, 3, 8]]), None);
        assert_eq!(found(&[&[1, 0, 0], &[1, 2, 1], &[1, 4, 2], &[1, 6, 3]]), None);
        // A column that never changes is not needed.
        assert_eq!(found(&[&[1, 7, 0, 7], &[1, 7, 1, 8], &[1, 7, 2, 9], &[1, 7, 3, 10]]), Some(row(&[7, 0, 1])));
    }
}
