// The two archive formats that packages come in, as small as they can be: the same files give the same bytes.
import { crc32, deflateRawSync, gzipSync } from 'node:zlib'

const blockBytes = 512

/** A gzipped tar of `[path, Buffer]`, as `npm pack` makes one. */
export function writeTgz(files) {
  const blocks = files.flatMap(([path, content]) => [
    writeTarHeader(path, content.length),
    content,
    Buffer.alloc((blockBytes - (content.length % blockBytes)) % blockBytes),
  ])
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * blockBytes)]), { level: 9 })
}

/**
 * The ustar header: octal numbers as text, and a sum over itself with blanks in the place of the sum. `link`: what a symbolic
 * link names. Nothing has a time or an owner.
 */
export function writeTarHeader(path, sizeBytes, { mode = 0o644, link = null } = {}) {
  const [folder, name] = splitPath(path)
  const header = Buffer.alloc(blockBytes)
  const put = (text, offset) => header.write(text, offset, 'latin1')
  const octal = (value, digits) => value.toString(8).padStart(digits, '0')
  put(name, 0)
  put(`${octal(mode, 7)}\0${octal(0, 7)}\0${octal(0, 7)}\0`, 100)
  put(`${octal(sizeBytes, 11)}\0${octal(0, 11)}\0`, 124)
  put(' '.repeat(8), 148)
  put(link === null ? '0' : '2', 156)
  put(link ?? '', 157)
  put('ustar\u000000', 257)
  put(folder, 345)
  const sum = header.reduce((total, byte) => total + byte, 0)
  put(`${octal(sum, 6)}\0 `, 148)
  return header
}

/** A name has room for 100 bytes, and the folder before it for 155. */
function splitPath(path) {
  if (path.length <= 100) return ['', path]
  const end = path.indexOf('/', path.length - 101)
  if (end < 0 || end > 155) throw new Error(`${path} is too long for a tar header`)
  return [path.slice(0, end), path.slice(end + 1)]
}

/** The first day that a zip can tell: no file of it has a time of its own. */
const zipDate = (1 << 5) | 1

/** A zip of `[path, Buffer]`, which is what a wheel is. */
export function writeZip(files) {
  const parts = []
  const directory = []
  let offset = 0
  for (const [path, content] of files) {
    const name = Buffer.from(path)
    const packed = deflateRawSync(content, { level: 9 })
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0) // version that can read it
    common.writeUInt16LE(0x0800, 2) // names are UTF-8
    common.writeUInt16LE(8, 4) // deflated
    common.writeUInt16LE(zipDate, 8)
    common.writeUInt32LE(crc32(content), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(content.length, 18)
    common.writeUInt16LE(name.length, 22)
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), common, name, packed])
    const central = Buffer.alloc(14)
    central.writeUInt32LE((0o100644 << 16) >>> 0, 6) // a plain file that everyone may read
    central.writeUInt32LE(offset, 10)
    directory.push(Buffer.from('PK\u0001\u0002\u0014\u0003'), common, central, name)
    parts.push(local)
    offset += local.length
  }
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(files.length, 4)
  end.writeUInt16LE(files.length, 6)
  end.writeUInt32LE(central.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...parts, central, Buffer.from('PK\u0005\u0006'), end])
}
