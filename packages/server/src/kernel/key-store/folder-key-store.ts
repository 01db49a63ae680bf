import { mkdir, readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { replacePrivateFile, syncFolder } from '../private-file.js'
import { documentBytesMax, type KeyStore } from './key-store.js'

const keyStoreFile = 'key-store.json'

export function makeFolderKeyStore(folder: string): KeyStore {
  const path = join(folder, keyStoreFile)
  return {
    name: path,
    read: async () => {
      try {
        if ((await stat(path)).size > documentBytesMax)
          throw new Error(`${path} is too large to be a key store`)
        return await readFile(path, 'utf8')
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
        throw error
      }
    },
    write: async (text) => {
      const made = await mkdir(folder, { recursive: true, mode: 0o700 })
      if (made !== undefined) await syncFolder(dirname(made))
      await replacePrivateFile(path, text)
    },
  }
}
