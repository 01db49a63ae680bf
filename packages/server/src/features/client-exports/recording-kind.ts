export interface RecordingKind {
  ending: string
  mediaType: string
}

/** Beginnings of the kinds that are taken; what is none of them is kept as it came, without a claim. */
const kinds: readonly (RecordingKind & { begins: (head: Buffer) => boolean })[] = [
  { ending: 'webm', mediaType: 'audio/webm', begins: (head) => head.readUInt32BE(0) === 0x1a45dfa3 },
  { ending: 'ogg', mediaType: 'audio/ogg', begins: (head) => head.toString('latin1', 0, 4) === 'OggS' },
  { ending: 'wav', mediaType: 'audio/wav', begins: (head) => head.toString('latin1', 8, 12) === 'WAVE' },
  { ending: 'flac', mediaType: 'audio/flac', begins: (head) => head.toString('latin1', 0, 4) === 'fLaC' },
  { ending: 'm4a', mediaType: 'audio/mp4', begins: (head) => head.toString('latin1', 4, 8) === 'ftyp' },
  { ending: 'mp3', mediaType: 'audio/mpeg', begins: (head) => head.toString('latin1', 0, 3) === 'ID3' },
  // A frame's first eleven bits; the layer tells MP3 from AAC, whose layer is always 0.
  { ending: 'aac', mediaType: 'audio/aac', begins: (head) => (head.readUInt16BE(0) & 0xfff6) === 0xfff0 },
  { ending: 'mp3', mediaType: 'audio/mpeg', begins: (head) => (head.readUInt16BE(0) & 0xffe0) === 0xffe0 },
]

const headBytes = 12

/** By its first bytes: a file is written as it came, and what it was called is not kept. */
export function kindOfRecording(head: Buffer): RecordingKind {
  const known = head.length < headBytes ? undefined : kinds.find(({ begins }) => begins(head))
  return known ?? { ending: 'bin', mediaType: 'application/octet-stream' }
}
