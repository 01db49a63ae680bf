import { withFile, type FilePlace } from './bounded-folder.js'

/** The fixed part of a header, and seven numbers of at most nine bytes. */
const headerBytes = 128

const customFormat = 1

/** From then on a byte names how it is compressed; before, a number. */
const namesCompressionSince = 1 * 256 + 15

/**
 * When a dump of `pg_dump --format=custom` was begun, in this machine's time zone: the header does not name the zone. Null: the file is
 * something else. As PostgreSQL's pg_backup_archiver.c writes it (`WriteHead`); a number is a byte for its sign and then the
 * bytes of its value, the lowest first.
 */
export async function readDumpTime(place: FilePlace): Promise<Date | null> {
  return withFile(place, 'r', async (file) => {
    const buffer = Buffer.alloc(headerBytes)
    return parseHeader(buffer.subarray(0, await file.readInto(buffer)))
  })
}

function parseHeader(header: Buffer): Date | null {
  if (header.toString('latin1', 0, 5) !== 'PGDMP' || header.length < 12) return null
  const [major = 0, minor = 0, , intBytes = 0, , format] = header.subarray(5, 11)
  if (format !== customFormat || intBytes < 1 || intBytes > 6) return null
  let at = 11
  const readNumber = (): number => {
    const isNegative = header[at] !== 0
    const value = header.readUIntLE(at + 1, intBytes)
    at += 1 + intBytes
    return isNegative ? -value : value
  }
  if (major * 256 + minor >= namesCompressionSince) at += 1
  else at += 1 + intBytes
  if (header.length < at + 6 * (1 + intBytes)) return null
  const [second, minute, hour, day, month, year] = Array.from({ length: 6 }, readNumber)
  const begun = new Date(1_900 + (year ?? 0), month ?? 0, day, hour, minute, second)
  return Number.isNaN(begun.getTime()) ? null : begun
}
