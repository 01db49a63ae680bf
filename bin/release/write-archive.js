// A folder as a gzipped tar, in the order of names, without times and owners: the same files give the same bytes.
import { createWriteStream, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { writeTarHeader } from '../sdk/archives.js'
import { listFiles } from './lay-out.js'

const blockBytes = 512

function* writeTar(folder) {
  const name = basename(folder)
  for (const { path, mode, link } of listFiles(folder)) {
    const content = link === null ? readFileSync(join(folder, path)) : Buffer.alloc(0)
    yield writeTarHeader(`${name}/${path}`, content.length, { mode: link === null ? mode : 0o777, link })
    if (content.length === 0) continue
    yield content
    yield Buffer.alloc((blockBytes - (content.length % blockBytes)) % blockBytes)
  }
  yield Buffer.alloc(2 * blockBytes)
}

/** Level 3: most of it are weights, so 6 takes nearly twice as long for 4 % fewer bytes. */
export const writeArchive = (folder, file) =>
  pipeline(
    Readable.from(writeTar(folder), { objectMode: true }),
    createGzip({ level: 3 }),
    createWriteStream(file),
  )
