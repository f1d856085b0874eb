// Stores of version 3 by npm's zarrita, for zarrita.py and, by their address, for served_zarrita.py.
//
//   node zarrita_io.mjs write STORE     arrays of the types and codecs that zarrita writes
//   node zarrita_io.mjs read STORE NAME...   one line of JSON for each array: cells in row order, little-endian, base64;
//                                            STORE may be a URL
//
// Cell number k in row order is (k * 7 + 3) % 101 - 50, a quarter of it for reals, without - 50 where there is no sign,
// odd or not for bool.
//
// SPDX-License-Identifier: Apache-2.0
import {pathToFileURL} from "node:url";

const modules = `${process.env.XTA_ZARRITA}/node_modules`;
const zarr = await import(pathToFileURL(`${modules}/zarrita/dist/src/index.js`));
const {default: FileSystemStore} = await import(pathToFileURL(`${modules}/@zarrita/storage/dist/src/fs.js`));
const {default: FetchStore} = await import(pathToFileURL(`${modules}/@zarrita/storage/dist/src/fetch.js`));
const [verb, path, ...names] = process.argv.slice(2);
const root = zarr.root(path.startsWith("http://") ? new FetchStore(path) : new FileSystemStore(path));

const little = {name: "bytes", configuration: {endian: "little"}};
const big = {name: "bytes", configuration: {endian: "big"}};
const blosc = (cname, shuffle, bytes) => ({name: "blosc", configuration: {cname, clevel: 5, shuffle, typesize: bytes,
                                                                          blocksize: 0}});
const zstd = {name: "zstd", configuration: {level: 3, checksum: false}};
const turn = order => ({name: "transpose", configuration: {order}});

const types = {bool: 1, int8: 1, uint8: 1, int16: 2, uint16: 2, int32: 4, uint32: 4, int64: 8, uint64: 8, float32: 4,
               float64: 8};
// zarrita 0.7.5 swaps pairs of bools with `big`, although they are single bytes.
const chains = (bytes, big) => [[little], [big], [little, zstd], [big, blosc("lz4", "shuffle", bytes)],
                         [turn([2, 0, 1]), little],
                         [turn([2, 1, 0]), big, zstd], [little, blosc("zstd", "bitshuffle", bytes)],
                         [little, blosc("blosclz", "noshuffle", bytes), zstd],
                         [little, {name: "lz4", configuration: {}}],
                         [little, {name: "numcodecs.zstd", configuration: {level: 1}}]];
const chunks = [[2, 3, 4], [4, 6, 5], [1, 1, 5], [3, 5, 2]];

function valueOf(type, k) {
    const v = (k * 7 + 3) % 101;
    return type === "bool" ? v % 2 === 1 : type === "int64" ? BigInt(v - 50) : type === "uint64" ? BigInt(v)
        : type.startsWith("float") ? (v - 50) / 4 : type.startsWith("u") ? v : v - 50;
}

async function write() {
    await zarr.create(root, {attributes: {title: "by zarrita", list: [1, 2.5], deep: {a: [true, null]}}});
    let j = 0;
    for (const [type, bytes] of Object.entries(types)) {
        for (const codecs of chains(bytes, type === "bool" ? little : big)) {
            const shape = [4, 6, 5];
            const array = await zarr.create(root.resolve(`${type}_${j}`), {
                shape, chunkShape: chunks[j % 4], dtype: type, codecs, chunkSeparator: "/.".charAt(j % 2),
                fillValue: type === "bool" ? false : type === "float64" ? "NaN" : 0, dimensionNames: ["z", "y", null],
                attributes: {units: "K", number: j}});
            const cells = Array.from({length: 120}, (_, k) => valueOf(type, k));
            const Typed = (await array.getChunk([0, 0, 0])).data.constructor;
            const data = new Typed(120);
            cells.forEach((v, k) => type === "bool" ? data.set(k, v) : data[k] = v);
            // The last planes are left to the fill value, where chunks permit it.
            await zarr.set(array, [zarr.slice(0, 2), null, null], {data: type === "bool" ? data : data.subarray(0, 60),
                                                                   shape: [2, 6, 5], stride: [30, 5, 1]});
            j++;
        }
    }
    const one = await zarr.create(root.resolve("deep/one"), {shape: [], chunkShape: [], dtype: "float32",
                                                             codecs: [little], fillValue: 0});
    await zarr.create(root.resolve("deep"), {});
    await zarr.set(one, null, 2.5);
}

async function read(name) {
    const array = await zarr.open(root.resolve(name), {kind: "array"});
    const {data, shape, stride} = await zarr.get(array);
    const text = typeof data[0] === "string";
    const n = shape.reduce((a, b) => a * b, 1);
    const out = [], bytes = [];
    for (let k = 0; k < n; k++) {
        let rest = k, at = 0;
        for (let d = shape.length - 1; d >= 0; d--) {
            at += (rest % shape[d]) * stride[d];
            rest = Math.floor(rest / shape[d]);
        }
        if (text) {
            out.push(data[at]);
        } else {
            const size = data.BYTES_PER_ELEMENT;
            bytes.push(Buffer.from(data.buffer, data.byteOffset + at * size, size));
        }
    }
    console.log(JSON.stringify({name, shape, type: array.dtype, attributes: array.attrs, names: array.dimensionNames,
                                cells: text ? out : Buffer.concat(bytes).toString("base64")}));
}

if (verb === "write") {
    await write();
} else {
    for (const name of names) {
        await read(name);
    }
}
