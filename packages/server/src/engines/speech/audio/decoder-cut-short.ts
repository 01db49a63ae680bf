/** The cause of a problem that need not be the recording's: whoever would delete something because of it tries again instead. */
export class DecoderCutShort extends Error {
  constructor(end: number | null) {
    super(end === null ? 'the decoder was killed' : `the decoder broke down (${end})`)
    this.name = 'DecoderCutShort'
  }
}

/**
 * Ends that are not ffmpeg's own word on its input: the shipped one crashed (as without memory) or ran out of time; the program could not be
 * started (126, 127); it was killed within a name space (137); no memory (-12 as a byte); it was told to stop (255).
 */
const brokenEnds: ReadonlySet<number | null> = new Set([null, 70, 71, 126, 127, 137, 244, 255])

/** A program around it failed before it began. */
const isCageFault = (words: string): boolean => /^(?:prlimit|unshare|setpriv): /m.test(words)

/** As the options of an error: empty where ffmpeg ended by itself. */
export const causeOfEnd = (code: number | null, words: string): { cause?: DecoderCutShort } =>
  brokenEnds.has(code) || isCageFault(words) ? { cause: new DecoderCutShort(code) } : {}

export const isCutShort = (error: unknown): boolean =>
  error instanceof Error && error.cause instanceof DecoderCutShort
