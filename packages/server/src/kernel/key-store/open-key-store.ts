import { BlobMissing, makeS3Store } from '../blobs/index.js'
import type { Config } from '../config.js'
import { makeCommandKeyStore } from './command-key-store.js'
import { makeFolderKeyStore } from './folder-key-store.js'
import type { KeyStore } from './key-store.js'

/** Null: none is configured. */
export function openKeyStore({ keyStore, s3 }: Pick<Config, 'keyStore' | 's3'>): KeyStore | null {
  if (keyStore === null) return null
  switch (keyStore.kind) {
    case 'folder':
      return makeFolderKeyStore(keyStore.path)
    case 'command':
      return makeCommandKeyStore(keyStore.words, keyStore.env)
    default:
      if (s3 === null) throw new Error('CASENOTE_KEY_STORE names a bucket: that needs CASENOTE_BLOB_STORE=s3')
      return makeBucketKeyStore({ ...s3, bucket: keyStore.bucket })
  }
}

const zeros = '00000000-0000-0000-0000-000000000000'

/** A name as a recording's part has one: the store takes no other. */
const objectName = `${zeros}/${zeros}/1-0000000000000000`

function makeBucketKeyStore(options: NonNullable<Config['s3']>): KeyStore {
  const withStore = async <T>(work: (store: ReturnType<typeof makeS3Store>) => Promise<T>): Promise<T> => {
    const store = makeS3Store({ ...options, prefix: 'casenote-key-store' })
    try {
      return await work(store)
    } finally {
      await store.close()
    }
  }
  return {
    name: `bucket ${options.bucket}`,
    read: () =>
      withStore(async (store) => {
        try {
          return (await store.get(objectName)).toString()
        } catch (error) {
          if (error instanceof BlobMissing) return null
          throw error
        }
      }),
    write: (text) => withStore((store) => store.put(objectName, Buffer.from(text))),
  }
}
