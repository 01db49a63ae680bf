// node eval/terms.js: how many misheard medications are put back, and how many are made another one. misheard.jsonl holds
// sentences spoken by piper's and flite's voices as Moonshine base wrote them; limits were chosen on the even names only.
import { readFileSync } from 'node:fs'
import { buildWhatIsStale } from '../bin/build.js'

buildWhatIsStale()
const { correctTerms } = await import('../packages/server/dist/engines/lexicon/correct-terms.js')
const { findMedications } = await import('../packages/server/dist/engines/lexicon/medications.js')

const listGenerics = (text) => findMedications(text).map(({ medication }) => medication.generic)

const rows = readFileSync(new URL('terms/misheard.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
const counts = { chosen: {}, heldOut: {} }
for (const [i, row] of rows.entries()) {
  const { said, heard } = JSON.parse(row)
  const [wanted] = listGenerics(said)
  const { text, corrections } = correctTerms(heard, [])
  const part = (i >> 1) % 2 === 0 ? counts.chosen : counts.heldOut
  const outcome = judge(
    listGenerics(heard).includes(wanted),
    listGenerics(text).includes(wanted),
    corrections,
  )
  part[outcome] = (part[outcome] ?? 0) + 1
  if (outcome === 'spoiled' || outcome === 'wrong')
    process.stdout.write(`${outcome}: ${heard} ${JSON.stringify(corrections)}\n`)
}

function judge(wasRight, isRight, corrections) {
  if (wasRight) return corrections.length === 0 ? 'heard' : 'spoiled'
  if (isRight) return 'corrected'
  return corrections.length === 0 ? 'left' : 'wrong'
}

process.stdout.write(`${JSON.stringify(counts)}\n`)
