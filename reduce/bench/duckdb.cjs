// DuckDB over the same cells, in a table in memory: prints `peer,case,seconds,processor seconds`, the best of the
// rounds, by one thread and by two. The coordinates are computed from the number of the row, which costs less than
// columns for them.
//
// usage: node duckdb.cjs FOLDER ROUNDS
//
// SPDX-License-Identifier: Apache-2.0
"use strict";
const fs = require("fs");
const path = require("path");
const { DuckDBInstance, DuckDBDataChunk, FLOAT, version } = require("@duckdb/node-api");

const [folder, rounds] = [process.argv[2], Number(process.argv[3])];
const HEADER = 128, ROWS = 2048, BUDGET = 120; // seconds of a case

async function load(connection, file, n) {
    const bytes = Buffer.alloc(ROWS * 4);
    const cells = new Float32Array(bytes.buffer, bytes.byteOffset, ROWS);
    await connection.run("CREATE TABLE cells (v FLOAT)");
    const appender = await connection.createAppender("cells");
    for (let row = 0; row < n; row += ROWS) {
        if (fs.readSync(file, bytes, 0, bytes.length, HEADER + row * 4) !== bytes.length) {
            throw new Error("reduce.npy is too short");
        }
        const chunk = DuckDBDataChunk.create([FLOAT], ROWS);
        chunk.setColumnValues(0, Array.from(cells));
        appender.appendDataChunk(chunk);
    }
    appender.closeSync();
}

async function measure(connection, threads, name, query) {
    let best = Infinity, bestCpu = Infinity;
    const began = process.hrtime.bigint();
    for (let round = 0; round <= rounds; round++) {
        const cpu = process.cpuUsage(), start = process.hrtime.bigint();
        await connection.run(query);
        const used = process.cpuUsage(cpu);
        best = Math.min(best, Number(process.hrtime.bigint() - start) / 1e9);
        bestCpu = Math.min(bestCpu, (used.user + used.system) / 1e6);
        if (Number(process.hrtime.bigint() - began) / 1e9 > BUDGET) {
            break;
        }
    }
    console.log(`duckdb ${threads},${name},${best.toFixed(5)},${bestCpu.toFixed(5)}`);
}

async function main() {
    const file = fs.openSync(path.join(folder, "reduce.npy"), "r");
    const header = Buffer.alloc(HEADER);
    fs.readSync(file, header, 0, HEADER, 0);
    const [t, y, x] = header.toString("latin1").match(/\((\d+), (\d+), (\d+)\)/).slice(1).map(Number);
    const connection = await (await DuckDBInstance.create(":memory:")).connect();
    console.error(`DuckDB ${version()}, ${t} x ${y} x ${x}`);
    await load(connection, file, t * y * x);
    const groups = {
        "sum all": null,
        "sum time": `rowid % ${y * x}`,
        "sum lines": `rowid // ${y * x} * ${x} + rowid % ${x}`,
        "sum samples": `rowid // ${x}`,
    };
    for (const threads of [1, 2]) {
        await connection.run(`SET threads = ${threads}`);
        for (const [name, group] of Object.entries(groups)) {
            const by = group === null ? "" : `, ${group} AS k FROM cells GROUP BY k`;
            // The results stay in the database, as those of the others stay in memory.
            await measure(connection, threads, name,
                          `CREATE OR REPLACE TEMP TABLE sums AS SELECT sum(v) AS s${by || " FROM cells"}`);
        }
    }
}

main().catch((error) => {
    console.error(`SKIPPED: DuckDB: ${error.message}`);
    process.exit(1);
});
