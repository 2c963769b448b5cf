"""Apache Spark (4.0+) data source for SGF. Runs `sgf`, built with the feature `arrow`.

    from sgf_spark import SgfDataSource
    spark.dataSource.register(SgfDataSource)
    games = spark.read.format("sgf").option("columns", "black,white,date,winner").load("/games")

Options:

* `path`: files and directories that all executors reach, separated by commas.
* `table`: `games` (default), `moves` or `properties`; `sgf records --list-columns --table TABLE` lists the columns.
* `columns`: the columns to read, separated by commas. Default: all. Fewer columns are faster.
* `program`: the program to run. Default: `sgf`.
* `partitionBytes`: the approximate size of a partition, in bytes. Default: 67108864.

A plain file is cut into byte ranges at any offsets: a range contains the games that start in it, so each game is read once. A
compressed file or an archive is one partition. Small files share a partition. Broken games are rows; a file that cannot be
read fails the query. The column `game` is null in a range that does not start at the start of its file.
"""

import os
import subprocess
import tempfile

import pyarrow as pa
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.pandas.types import from_arrow_schema

PACKED = (".gz", ".zst", ".bz2", ".xz", ".zip", ".tar", ".tgz", ".tzst", ".tbz2", ".tbz", ".txz")
PLAIN = (".sgf", ".sgfs")


class SgfDataSource(DataSource):
    @classmethod
    def name(cls):
        return "sgf"

    def schema(self):
        return from_arrow_schema(spark_schema(self.command(["-"])))

    def reader(self, schema):
        paths = [path for path in self.options.get("path", "").split(",") if path]
        if not paths:
            raise ValueError("sgf: no path; pass a file or a directory to load(PATH)")
        return SgfReader(self.command([]), paths, int(self.options.get("partitionBytes", 64 << 20)))

    def command(self, arguments):
        """The command that reads the table as a stream of Arrow. It is not run by a shell."""
        options = self.options
        command = [options.get("program", "sgf"), "records", "--quiet", "--format", "arrow", "--threads", "1"]
        command += ["--table", options.get("table", "games")]
        if options.get("columns"):
            command += ["--columns", options["columns"]]
        return command + arguments


class SgfReader(DataSourceReader):
    def __init__(self, command, paths, partition_bytes):
        self.command, self.paths, self.partition_bytes = command, paths, max(1, partition_bytes)

    def partitions(self):
        partitions, group, group_bytes = [], [], 0
        for path in self.files():
            size = os.path.getsize(path)
            if size > self.partition_bytes and not path.lower().endswith(PACKED) and not is_packed(path):
                for start in range(0, size, self.partition_bytes):
                    end = min(size, start + self.partition_bytes)
                    partitions.append(InputPartition(["--range", f"{start}..{end}", "--", path]))
                continue
            if group and group_bytes + size > self.partition_bytes:
                partitions.append(InputPartition(["--", *group]))
                group, group_bytes = [], 0
            group.append(path)
            group_bytes += size + 4096  # opening a file has a cost
        if group:
            partitions.append(InputPartition(["--", *group]))
        return partitions

    def files(self):
        """The files, as `sgf` selects them: all that are named, and those in directories by their names."""
        for path in self.paths:
            if not os.path.isdir(path):
                yield path
                continue
            for folder, folders, names in os.walk(path):
                folders.sort()
                for name in sorted(names):
                    plain = name.lower()
                    for suffix in PACKED[:4]:
                        plain = plain.removesuffix(suffix)
                    is_archive = name.lower().endswith(PACKED[4:]) or plain.endswith(".tar")
                    if (plain.endswith(PLAIN) or is_archive) and not name.startswith("._"):
                        yield os.path.join(folder, name)

    def read(self, partition):
        with tempfile.TemporaryFile() as messages:
            command = [*self.command, *partition.value]
            with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=messages) as process:
                with pa.ipc.open_stream(process.stdout) as stream:
                    schema = as_spark_has_it(stream.schema)
                    for batch in stream:
                        yield batch.cast(schema)
            # 1: there are broken games, which are rows.
            if process.returncode not in (0, 1):
                messages.seek(0)
                raise RuntimeError(messages.read().decode(errors='replace').strip() or f"sgf: exit code {process.returncode}")


def is_packed(path):
    """Whether a file begins as a compressed file or an archive does."""
    with open(path, "rb") as file:
        head = file.read(512)
    return head.startswith((b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"BZh", b"\xfd7zXZ\x00", b"PK")) or head[257:262] == b"ustar"


def spark_schema(command):
    """The schema of what a command writes, for an input without games."""
    done = subprocess.run(command, input=b"", capture_output=True)
    if not done.stdout:
        raise ValueError(done.stderr.decode(errors='replace').strip() or "sgf: no output")
    return as_spark_has_it(pa.ipc.open_stream(done.stdout).schema)


def as_spark_has_it(schema):
    """The schema without the types that Spark lacks: dictionaries, unsigned numbers, and bytes of a fixed length."""
    def of(kind):
        if pa.types.is_dictionary(kind):
            return of(kind.value_type)
        if pa.types.is_list(kind):
            return pa.list_(of(kind.value_type))
        if pa.types.is_fixed_size_binary(kind):
            return pa.binary()
        wider = {pa.uint8(): pa.int16(), pa.uint16(): pa.int32(), pa.uint32(): pa.int64(), pa.uint64(): pa.int64()}
        return wider.get(kind, kind)

    return pa.schema([pa.field(field.name, of(field.type), field.nullable) for field in schema])
