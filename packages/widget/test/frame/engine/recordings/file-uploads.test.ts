import { describe, expect, it } from 'vitest'
// oxlint-disable-next-line import/no-unassigned-import -- what follows asks for a page when it is loaded
import '../../../page-stand-in.js'
import { makeFileUploads } from '../../../../src/frame/engine/recordings/file-uploads.js'

/** A WAV on a drive that answers when it is told to. */
function makeSlowFile() {
  let answer = (): void => {}
  const answered = new Promise<void>((resolve) => (answer = resolve))
  class SlowFile extends File {
    override slice(from?: number, to?: number): Blob {
      const blob = super.slice(from, to)
      blob.arrayBuffer = () => answered.then(() => new Response(super.slice(from, to)).arrayBuffer())
      return blob
    }
  }
  return { file: new SlowFile(['RIFF....WAVEfmt '], 'session.wav'), answer: () => answer() }
}

describe('a file that is looked at while somebody else signs in', () => {
  it('becomes a recording of nobody', async () => {
    let era = 0
    const created: string[] = []
    const recordings = {
      create: async ({ clinicianId }: { clinicianId: string }) => {
        created.push(clinicianId)
        throw new Error('nothing is kept here')
      },
    }
    const uploads = makeFileUploads({
      recordings: null,
      require: () => ({ recordings, outbox: {}, vault: { clinicianId: `clinician ${era}` } }),
      beginSending: () => {
        throw new Error('nothing is sent here')
      },
      getEra: () => era,
      throwAway: async () => {},
    } as unknown as Parameters<typeof makeFileUploads>[0])
    const recording = {
      clientId: 'client',
      clientLabel: 'A client',
      noteType: 'dap',
      templateId: '',
      options: {},
    }
    const { file, answer } = makeSlowFile()
    const uploaded = uploads.upload(recording, file, false)
    era += 1
    answer()
    await expect(uploaded).rejects.toMatchObject({ status: 401 })
    expect(created).toEqual([])
    // Of whoever is there from the beginning to the end it is kept.
    await expect(uploads.upload(recording, file, false)).rejects.toThrow('nothing is kept here')
    expect(created).toEqual(['clinician 1'])
  })
})
