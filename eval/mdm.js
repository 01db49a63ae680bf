// How often the embedded writer's MDM agrees with what a coder would expect: `npm run build && node eval/mdm.js`.
// Prints every disagreement. Nothing is asserted here; the tests hold the rules.
import { deriveMdm } from '../packages/server/dist/engines/writer/embedded/derive-mdm.js'
import { sessions } from './mdm-sessions.js'

const counts = new Map()
const count = (what, isRight) => {
  const { right = 0, all = 0 } = counts.get(what) ?? {}
  counts.set(what, { right: right + (isRight ? 1 : 0), all: all + 1 })
}

for (const { name, said, problems, risk, crisis, isHeldOut = false } of sessions) {
  const set = isHeldOut ? 'held out: ' : ''
  const found = await deriveMdm(
    {
      noteType: 'medication_management',
      transcript: readTranscript(said),
      treatmentApproaches: [],
    },
    new AbortController().signal,
  )
  const levels = Object.fromEntries(found.problemsAddressed.map(({ problem, level }) => [problem, level]))
  const names = new Set([...Object.keys(problems), ...Object.keys(levels)])
  for (const problem of names) {
    const isRight = levels[problem] === problems[problem]
    count(`${set}problem and its level`, isRight)
    if (!isRight)
      report(name, `${problem}: ${levels[problem] ?? 'not found'}, expected ${problems[problem] ?? 'none'}`)
  }
  const { level } = found.riskOfComplications
  count(`${set}risk of complications`, level === risk)
  if (level !== risk)
    report(name, `risk: ${level} (${found.riskOfComplications.rationale}), expected ${risk}`)
  count(`${set}crisis flag`, found.crisisInterventionIdentified === crisis)
  if (found.crisisInterventionIdentified !== crisis)
    report(name, `crisis: ${found.crisisInterventionRationale}`)
  const grounded = [found.riskOfComplications, ...found.problemsAddressed].every(
    ({ level: one, evidence }) => ['na', 'minimal'].includes(one) || evidence.length > 0,
  )
  count(`${set}evidence for each level above minimal`, grounded)
}

for (const [what, { right, all }] of counts) console.log(`${what}: ${right} of ${all}`)

function readTranscript(said) {
  return said
    .trim()
    .split('\n')
    .map((line, at) => ({
      startTime: at * 5,
      endTime: at * 5 + 4,
      speaker: line.trim().startsWith('D:') ? 'clinician' : 'client',
      transcript: line.trim().slice(2).trim(),
    }))
}

function report(name, text) {
  console.log(`  ${name}: ${text}`)
}
