import { NOTE_TYPES } from '@casenote/contract'
import { describe, expect, it } from 'vitest'
import { checkSentence } from '../../../src/engines/checker/check-sentence.js'
import { readTalk } from '../../../src/engines/checker/read-talk.js'
import type { DangerFinding } from '../../../src/engines/reader/reading.js'
import { opensItem } from '../../../src/features/danger/opens-item.js'
import { splitAccount } from '../../../src/engines/text/split-account.js'
import { readByRules } from '../session-fixtures.js'
import { extract } from './extract-talk.js'
import { ProseStage, requestOf, section, sentence, writeAll } from './prose-fixture.js'

const { writeNote } = extract

const dangerOf = (text: string): string[] =>
  readByRules(splitAccount(text))
    .findings.filter((one): one is DangerFinding => one.kind === 'danger')
    .map(({ matter, element, standing, whose }) => `${matter} ${element} ${standing} ${whose}`)

const faultOf = (account: string, text: string, items = [0]): string | null => {
  const transcript = splitAccount(account)
  const talk = readTalk(transcript)
  return checkSentence({ text, transcriptItems: items }, talk, readByRules(transcript))?.reason ?? null
}

describe('what a clinician typed about a session', () => {
  it('becomes items of at most a paragraph, in order, and nothing of it is lost', () => {
    const long = 'She spoke of her work. '.repeat(200).trim()
    const items = splitAccount(`\n  First line \r\n\r\n${long}\nLast line without a stop`)
    expect(items[0]).toEqual({
      startTime: 0,
      endTime: 0,
      speaker: 'clinician',
      transcript: 'First line',
      source: 'typed',
    })
    expect(items.at(-1)?.transcript).toBe('Last line without a stop')
    expect(Math.max(...items.map(({ transcript }) => transcript.length))).toBeLessThanOrEqual(600)
    expect(
      items
        .slice(1, -1)
        .map(({ transcript }) => transcript)
        .join(' '),
    ).toBe(long)
    const many = splitAccount('a\n'.repeat(25_000))
    expect(many.length).toBeLessThanOrEqual(1_000)
    expect(many.map(({ transcript }) => transcript).join(' ')).toBe('a '.repeat(25_000).trim())
  })

  it.each([
    [
      'Denies SI, HI, plan or intent.',
      ['suicide thoughts denied client', 'harm_to_others thoughts denied client'],
    ],
    ['SI/HI denied', ['suicide thoughts denied client', 'harm_to_others thoughts denied client']],
    ['Passive SI without plan.', ['suicide thoughts affirmed client', 'suicide plan denied client']],
    ['He thought of ending his life last spring.', ['suicide thoughts affirmed client']],
    ['Brother died by suicide in 2019.', ['suicide attempt affirmed other']],
    ['Husband slapped her twice on Saturday.', ['abuse violence affirmed client']],
    ['Hit his wife on Saturday.', ['harm_to_others violence affirmed client']],
    ['She hears voices telling her to hurt the baby.', ['psychosis commands affirmed client']],
    ['Keeps a rifle in the garage.', ['suicide means affirmed client']],
    ['Cut her forearm on Friday.', ['self_harm unspecified affirmed client']],
    ['Has not discussed her suicidal thoughts with her husband.', ['suicide thoughts affirmed client']],
    ['Overdosed on Friday, did not discuss it with anyone.', ['suicide attempt affirmed client']],
    ['Was not able to discuss the suicide attempt without crying.', ['suicide attempt unclear client']],
    ['Suicidal thoughts not explored further.', ['suicide thoughts affirmed client']],
    ['Did not explore the overdose last week.', ['suicide attempt unclear client']],
    ['Denied SI, did not ask about HI.', ['suicide thoughts denied client']],
    ['Hears voices; SI not assessed today.', ['psychosis voices affirmed client']],
    [
      'Endorses passive SI, plan and intent denied.',
      ['suicide thoughts affirmed client', 'suicide plan denied client', 'suicide intent denied client'],
    ],
    [
      'Fleeting SI, HI denied.',
      ['suicide thoughts affirmed client', 'harm_to_others thoughts denied client'],
    ],
    ['SI, plan and intent denied.', ['suicide thoughts unclear client', 'suicide plan denied client']],
    ['Passive SI denied.', ['suicide thoughts denied client']],
  ])('is read as a note is: %s', (text, expected) => {
    expect(dangerOf(text)).toEqual(expect.arrayContaining(expected))
  })

  it.each([
    'Did not ask about weapons.',
    'SI not assessed today.',
    'SI, HI and access to weapons were not assessed.',
    'Did not ask client about suicide or homicide due to time.',
    'Tired of the long shifts.',
  ])('finds nothing about danger in: %s', (text) => expect(dangerOf(text)).toEqual([]))

  it.each([
    'Passive SI denied.',
    'Passive SI: denied',
    'Passive and active SI denied.',
    'Passive SI/HI denied today',
    'Suicidal ideation denied.',
    'Suicidal thoughts denied, sleeps well.',
    'Suicidal and homicidal ideation denied.',
    'Self-harm urges denied.',
    'SI currently denied.',
    'SI not endorsed.',
    'Thoughts of death denied.',
    'Death wish absent.',
    'Denies passive SI.',
    'No passive SI.',
    'Passive SI was denied.',
  ])('a denial opens nothing: %s', (text) => {
    const found = readByRules(splitAccount(text)).findings.filter((one) => one.kind === 'danger')
    expect(found).not.toEqual([])
    expect(found.filter(opensItem).map(({ element, standing }) => [element, standing])).toEqual([])
  })

  it.each([
    'Reports passive SI absent plan.',
    'Passive SI, denied plan.',
    'Endorses passive SI, plan and intent denied.',
    'SI, plan and intent denied.',
    'Fleeting suicidal thoughts, HI denied.',
    'SI plan denied.',
  ])('what may be none opens: %s', (text) => {
    const found = readByRules(splitAccount(text)).findings.filter((one) => one.kind === 'danger')
    expect(found.filter(opensItem)).not.toEqual([])
  })

  it('bears out a denial and what the client said, as the clinician tells it', () => {
    const account = 'Denies suicidal thoughts. Says sleep is poor since May.'
    expect(faultOf(account, 'Client denies suicidal ideation.')).toBeNull()
    expect(faultOf(account, 'Client reports poor sleep since May.')).toBeNull()
    expect(faultOf(account, 'Client denies homicidal ideation.')).toBe('denial')
    expect(faultOf(account, 'Client reports poor sleep since 14 weeks.')).toBe('number')
  })

  it('is no proof that something was not asked, unless it says so', () => {
    const account = 'Talked about work.\nDid not ask about suicide.'
    expect(faultOf(account, 'Harm to others was not asked about.')).toBe('not_asked')
    expect(faultOf(account, 'Suicidal ideation was not asked about.', [1])).toBeNull()
    expect(faultOf(account, 'Harm to others: not mentioned in what the clinician typed.', [])).toBeNull()
  })

  it('stands in an extract of every type, all of it, once, and word for word', async () => {
    const text =
      'S: tired, works double shifts\nO: tearful\nSI/HI denied\nA: adjustment disorder\nP: sleep diary'
    for (const noteType of NOTE_TYPES) {
      const { sections } = await writeNote(requestOf(splitAccount(text), { noteType }))
      const own = sections
        .flatMap(({ sentences }) => sentences)
        .filter(({ judgement }) => judgement === 'clinicians_words')
      const words = [
        'tired, works double shifts',
        'tearful',
        'SI/HI denied',
        'adjustment disorder',
        'sleep diary',
      ]
      expect(own.map((one) => one.text).toSorted()).toEqual(words.toSorted())
      expect(own.every(({ transcriptItems }) => transcriptItems.length === 1)).toBe(true)
      expect(sections.find(({ key }) => key === 'plan')?.sentences.map((one) => one.text)).toContain(
        'sleep diary',
      )
    }
  })

  it.each([
    ['We agreed on a sleep diary and a call on Friday.', 'plan'],
    ['Pt will start running again.', 'plan'],
    ['Affect bright, will not say why.', 'objective'],
    ['She sleeps five hours and wakes at four.', 'subjective'],
  ])('stands where what comes next is looked for, if it is typed so: %s', async (text, place) => {
    const { sections } = await writeNote(requestOf(splitAccount(text)))
    const placed = sections.find(({ sentences }) => sentences.some((one) => one.text === text))
    expect(placed?.key).toBe(place)
  })

  it('of two sections with the same letter stands first in the one, then in the other', async () => {
    const text = 'P: panic at work\nI: breathing\nR: calmer\nP: sleep diary'
    const { sections } = await writeNote(requestOf(splitAccount(text), { noteType: 'pirp' }))
    expect(sections.map(({ key, sentences }) => [key, sentences[0]?.text])).toEqual([
      ['problem', 'panic at work'],
      ['intervention', 'breathing'],
      ['response', 'calmer'],
      ['plan', 'sleep diary'],
    ])
  })

  it.each([
    ['Plan: sleep diary', 'Nothing was typed for this section.'],
    ['Sleep diary.', 'None of what was typed was placed in this section.'],
  ])('says of a section without a line only what is so: %s', async (text, expected) => {
    const { sections } = await writeNote(requestOf(splitAccount(text), { noteType: 'birp' }))
    const intervention = sections.find(({ key }) => key === 'intervention')
    expect(intervention?.sentences.map((one) => one.text)).toEqual([expected])
  })

  it.each([
    [
      'Talked about work.',
      'Suicide and self-harm, harm to others: not mentioned in what the clinician typed.',
    ],
    ['SI not assessed today.', 'Harm to others: not mentioned in what the clinician typed.'],
  ])('says of danger that it does not mention no more than that: %s', async (text, expected) => {
    const { sections } = await writeNote(requestOf(splitAccount(text)))
    const unmentioned = sections.flatMap(({ sentences }) => sentences.map((one) => one.text))
    expect(unmentioned.filter((one) => one.includes('not mentioned'))).toEqual([expected])
  })

  it('is told to a model as the clinician’s account, and nothing in its note says that it was not asked', async () => {
    const stage = await ProseStage.open()
    stage.script.next('progress_note', {
      subjective: section(sentence('Client reports poor sleep.', 0)),
      objective: section(),
      assessment: section(sentence('Client denies suicidal ideation.', 1)),
      plan: section(),
    })
    const request = requestOf(splitAccount('Client sleeps poorly.\nDenies suicidal thoughts.'))
    const { note } = await writeAll(stage.openWriter(), request)
    const sentences = note.sections.flatMap((one) => one.sentences)
    expect(sentences.map(({ text, judgement }) => [text, judgement])).toEqual([
      ['Client reports poor sleep.', 'verified'],
      ['Client denies suicidal ideation.', 'verified'],
      ['Harm to others: not mentioned in what the clinician typed.', 'exact_checks_only'],
    ])
    for (const task of ['progress_note', 'verification'] as const)
      expect(stage.promptsOf(task)[0]).toContain('Nobody was recorded.')
    await stage.close()
  })
})
