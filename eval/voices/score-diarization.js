/** Diarization error as NIST counts it: missed, false and confused speech over the speech that was there, in 10 ms frames. */
const frameSeconds = 0.01

/** Nobody agrees on a boundary to the frame: this much on both sides of each is not scored. */
const collarSeconds = 0.25

const toFrame = (seconds) => Math.round(seconds / frameSeconds)

/** `reference`: spans with `speaker`; `found`: spans with `voice`. Overlapping speech is scored. */
export function scoreDiarization(reference, found) {
  const length = toFrame(
    Math.max(...reference.map((turn) => turn.endSeconds), ...found.map((clip) => clip.endSeconds)),
  )
  const isScored = new Uint8Array(length).fill(1)
  for (const { startSeconds, endSeconds } of reference)
    for (const edge of [startSeconds, endSeconds])
      isScored.fill(
        0,
        Math.max(0, toFrame(edge - collarSeconds)),
        Math.min(length, toFrame(edge + collarSeconds)),
      )
  const said = paint(reference, 'speaker', length)
  const heard = paint(found, 'voice', length)
  let best = null
  for (const mapping of listMappings([...said.keys()], [...heard.keys()])) {
    const score = countErrors(said, heard, mapping, isScored)
    if (best === null || score.errors < best.errors) best = { ...score, mapping }
  }
  return { ...best, rate: best.errors / best.speech, collarSeconds }
}

function paint(spans, key, length) {
  const tracks = new Map()
  for (const span of spans) {
    if (!tracks.has(span[key])) tracks.set(span[key], new Uint8Array(length))
    tracks.get(span[key]).fill(1, toFrame(span.startSeconds), toFrame(span.endSeconds))
  }
  return tracks
}

/** Every way to give each voice a speaker of its own, or none. */
function* listMappings(speakers, voices) {
  const [voice, ...others] = voices
  if (voice === undefined) {
    yield new Map()
    return
  }
  for (const speaker of [...speakers, null])
    for (const rest of listMappings(
      speakers.filter((other) => other !== speaker),
      others,
    ))
      yield new Map(rest).set(voice, speaker)
}

function countErrors(said, heard, mapping, isScored) {
  let speech = 0
  let missed = 0
  let wrong = 0
  let confused = 0
  for (let frame = 0; frame < isScored.length; frame++) {
    if (isScored[frame] === 0) continue
    const speakers = [...said].flatMap(([speaker, track]) => (track[frame] === 1 ? [speaker] : []))
    const voices = [...heard].flatMap(([voice, track]) => (track[frame] === 1 ? [mapping.get(voice)] : []))
    const right = voices.filter((voice) => speakers.includes(voice)).length
    speech += speakers.length
    missed += Math.max(0, speakers.length - voices.length)
    wrong += Math.max(0, voices.length - speakers.length)
    confused += Math.min(speakers.length, voices.length) - right
  }
  return { speech, missed, wrong, confused, errors: missed + wrong + confused }
}
