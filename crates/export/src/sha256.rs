//! SHA-256 (FIPS 180-4): witnesses name their input files by it.
//!
//! The constants are the first 32 bits of the fractional parts of roots of primes; they are computed here, not listed.

/// The first 64 bits after the binary point of the `root`-th root (2 or 3) of `n`, cut to 32.
fn fraction(n: u64, root: u32) -> u32 {
    // The greatest x with x^root ≤ n·2^(32·root) is ⌊n^(1/root)·2^32⌋; its low half is the fraction.
    let (mut lo, mut hi) = (0u128, 1u128 << 37);
    while lo + 1 < hi {
        let mid = (lo + hi) / 2;
        let at_most = if root == 2 { mid * mid <= u128::from(n) << 64 } else { mid * mid * mid <= u128::from(n) << 96 };
        if at_most {
            lo = mid;
        } else {
            hi = mid;
        }
    }
    lo as u32
}

fn primes() -> impl Iterator<Item = u64> {
    (2u64..).filter(|n| (2..*n).take_while(|d| d * d <= *n).all(|d| n % d != 0))
}

/// The digest of `bytes` in lower-case hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    let k: Vec<u32> = primes().take(64).map(|p| fraction(p, 3)).collect();
    let mut h: Vec<u32> = primes().take(8).map(|p| fraction(p, 2)).collect();
    let mut tail = bytes.chunks_exact(64).remainder().to_vec();
    tail.push(0x80);
    while tail.len() % 64 != 56 {
        tail.push(0);
    }
    tail.extend((bytes.len() as u64 * 8).to_be_bytes());
    for block in bytes.chunks_exact(64).chain(tail.chunks_exact(64)) {
        compress(&mut h, &k, block);
    }
    h.iter().map(|w| format!("{w:08x}")).collect()
}

fn compress(h: &mut [u32], k: &[u32], block: &[u8]) {
    let mut w = [0u32; 64];
    for (i, c) in block.chunks_exact(4).enumerate() {
        w[i] = u32::from_be_bytes([c[0], c[1], c[2], c[3]]);
    }
    for i in 16..64 {
        let s0 = w[i - 15].rotate_right(7) ^ w[i - 15].rotate_right(18) ^ (w[i - 15] >> 3);
        let s1 = w[i - 2].rotate_right(17) ^ w[i - 2].rotate_right(19) ^ (w[i - 2] >> 10);
        w[i] = w[i - 16].wrapping_add(s0).wrapping_add(w[i - 7]).wrapping_add(s1);
    }
    let mut v = [0u32; 8];
    v.copy_from_slice(h);
    for i in 0..64 {
        let [a, b, c, d, e, f, g, last] = v;
        let s1 = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
        let choice = (e & f) ^ (!e & g);
        let t1 = last.wrapping_add(s1).wrapping_add(choice).wrapping_add(k[i]).wrapping_add(w[i]);
        let s0 = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
        let majority = (a & b) ^ (a & c) ^ (b & c);
        v = [t1.wrapping_add(s0.wrapping_add(majority)), a, b, c, d.wrapping_add(t1), e, f, g];
    }
    for (old, new) in h.iter_mut().zip(v) {
        *old = old.wrapping_add(new);
    }
}

#[cfg(test)]
mod tests {
    use super::sha256;

    #[test]
    fn the_standards_examples() {
        assert_eq!(sha256(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(sha256(b""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        let long = b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
        assert_eq!(sha256(long), "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
        assert_eq!(sha256(&vec![b'a'; 1_000_000]), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    }
}
