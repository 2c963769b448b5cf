//! Compressed files and archives, made here: by crates where they write, by hand where a crate would not write what
//! is asked for.

use std::io::Write;

use flate2::{Compression, Crc, GzBuilder, write::DeflateEncoder};

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut out = GzBuilder::new().filename("of another name.txt").write(Vec::new(), Compression::default());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

pub(crate) fn zstd(bytes: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Fastest)
}

/// A frame that holds no data.
pub(crate) fn zstd_skippable(len: u8) -> Vec<u8> {
    [&b"\x53\x2A\x4D\x18"[..], &[len, 0, 0, 0], &vec![b'('; len.into()]].concat()
}

pub(crate) fn bzip2(bytes: &[u8]) -> Vec<u8> {
    let mut out = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

pub(crate) fn xz(bytes: &[u8]) -> Vec<u8> {
    let mut out = lzma_rust2::XzWriter::new(Vec::new(), lzma_rust2::XzOptions::with_preset(0)).unwrap();
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

pub(crate) fn deflate(bytes: &[u8]) -> Vec<u8> {
    let mut out = DeflateEncoder::new(Vec::new(), Compression::default());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

/// A way to compress.
pub(crate) type Format = fn(&[u8]) -> Vec<u8>;

/// Compressed by one after the other, from the inside to the outside.
pub(crate) fn pack(bytes: &[u8], formats: &[Format]) -> Vec<u8> {
    formats.iter().fold(bytes.to_owned(), |bytes, format| format(&bytes))
}

/// A header of tar with the sum that it needs.
pub(crate) fn tar_header(name: &[u8], kind: u8, len: usize, magic: &[u8]) -> [u8; 512] {
    let mut header = [0; 512];
    header[..name.len()].copy_from_slice(name);
    header[100..107].copy_from_slice(b"0000644");
    header[124..135].copy_from_slice(format!("{len:011o}").as_bytes());
    header[148..156].fill(b' ');
    header[156] = kind;
    header[257..257 + magic.len()].copy_from_slice(magic);
    let sum: u32 = header.iter().map(|&byte| u32::from(byte)).sum();
    header[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
    header
}

pub(crate) const USTAR: &[u8] = b"ustar\x0000";
pub(crate) const GNU: &[u8] = b"ustar  \0";

/// A member of tar.
pub(crate) fn tar_member(name: &[u8], kind: u8, bytes: &[u8], magic: &[u8]) -> Vec<u8> {
    let mut out = tar_header(name, kind, bytes.len(), magic).to_vec();
    out.extend(bytes);
    out.resize(out.len().next_multiple_of(512), 0);
    out
}

pub(crate) fn tar(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut out: Vec<u8> =
        members.iter().flat_map(|(name, bytes)| tar_member(name.as_bytes(), b'0', bytes, USTAR)).collect();
    out.extend([0; 1024]);
    out
}

/// A member of a zip archive.
#[derive(Clone, Copy)]
pub(crate) struct Zipped<'a> {
    pub(crate) name: &'a [u8],
    pub(crate) bytes: &'a [u8],
    pub(crate) method: u16,
    /// 1 is encrypted; 8 is written to a pipe, with the length after the data.
    pub(crate) flags: u16,
    pub(crate) is_zip64: bool,
    /// Added to the checksum.
    pub(crate) wrong: u32,
}

pub(crate) fn zipped<'a>(name: &'a str, bytes: &'a [u8]) -> Zipped<'a> {
    Zipped { name: name.as_bytes(), bytes, method: 8, flags: 0, is_zip64: false, wrong: 0 }
}

pub(crate) fn zip(members: &[Zipped<'_>]) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for member in members {
        let packed = match member.method {
            8 => deflate(member.bytes),
            12 => bzip2(member.bytes),
            93 => zstd(member.bytes),
            95 => xz(member.bytes),
            _ => member.bytes.to_owned(),
        };
        let mut crc = Crc::new();
        crc.update(member.bytes);
        let crc = crc.sum().wrapping_add(member.wrong).to_le_bytes();
        let (len, packed_len) = (member.bytes.len() as u64, packed.len() as u64);
        let lens = |wide: bool| match wide {
            true => [packed_len.to_le_bytes(), len.to_le_bytes()].concat(),
            false => [(packed_len as u32).to_le_bytes(), (len as u32).to_le_bytes()].concat(),
        };
        let is_piped = member.flags & 8 != 0;
        let front = [member.flags.to_le_bytes(), member.method.to_le_bytes(), [0; 2], [0x21, 0x50]].concat();
        let extra = match member.is_zip64 {
            true => [&b"\x01\x00\x10\x00"[..], &len.to_le_bytes(), &packed_len.to_le_bytes()].concat(),
            false => Vec::new(),
        };
        let sizes = if member.is_zip64 { vec![0xFF; 8] } else { lens(false) };
        let names = [(member.name.len() as u16).to_le_bytes(), (extra.len() as u16).to_le_bytes()].concat();
        let start = (out.len() as u32).to_le_bytes();
        out.extend([&b"PK\x03\x04\x2D\x00"[..], &front].concat());
        match is_piped {
            true => out.extend([0; 12]),
            false => out.extend([&crc[..], &sizes].concat()),
        }
        out.extend([&names, member.name, &extra, &packed].concat());
        if is_piped {
            out.extend([&b"PK\x07\x08"[..], &crc, &lens(member.is_zip64)].concat());
        }
        let versions = b"PK\x01\x02\x2D\x03\x2D\x00";
        directory.extend([&versions[..], &front, &crc, &sizes, &names, &[0; 10], &start, member.name, &extra].concat());
    }
    let count = (members.len() as u16).to_le_bytes();
    let (start, len) = ((out.len() as u32).to_le_bytes(), (directory.len() as u32).to_le_bytes());
    out.extend([&directory[..], b"PK\x05\x06\0\0\0\0", &count, &count, &len, &start, b"\0\0"].concat());
    out
}
