/** Three hours: longer than any session, and what the limits of memory and time were measured for. */
export const recordingSecondsMax = 3 * 60 * 60

/** Everything that can be wrong with a recording, each with the sentence that a partner gets to read. */
export const RECORDING_PROBLEMS = {
  empty: 'The recording is empty',
  unreadable: 'The file is not a recording that can be read',
  no_audio: 'The recording contains no audio',
  unsupported: 'The sound in the recording is coded in a way that cannot be read',
  truncated: 'The recording is cut off: a part of it is missing',
  damaged: 'The recording is damaged and could not be read to its end',
  too_long: 'The recording is longer than 3 hours',
  too_slow: 'The recording could not be read in a reasonable time',
  no_speech: 'No speech was found in the recording',
  not_understood:
    'The talk could not be understood: it was not in English, or too little of it could be heard',
} as const

export type RecordingProblemCode = keyof typeof RECORDING_PROBLEMS

/** The recording itself is at fault: trying again with the same bytes ends the same way. */
export class RecordingProblem extends Error {
  readonly code: RecordingProblemCode

  constructor(code: RecordingProblemCode, options: { cause?: unknown } = {}) {
    super(RECORDING_PROBLEMS[code], options)
    this.name = 'RecordingProblem'
    this.code = code
  }
}
