import type { Page } from 'playwright-core'

/** Every state that a clinician can see, and the way to it on the stage. `stage` is `packages/widget/dev/stage.tsx`. */

const set =
  (script: string) =>
  async (page: Page): Promise<void> => {
    await page.evaluate(script)
  }

const recorder = (change: string): string =>
  `stage.recorder.value = { ...stage.toRunning({ clientLabel: 'Joanna Smith', clientId: stage.data.joanna.id }), seconds: 754, recordedBytes: 1000, uploadedBytes: 970, ${change} }`

const openClient = async (page: Page): Promise<void> => {
  await page.evaluate('stage.engine.select(stage.data.joanna.id)')
  await page.waitForSelector('h1:has-text("Joanna")')
}

const openRecording =
  (change: string) =>
  async (page: Page): Promise<void> => {
    await openClient(page)
    await page.getByRole('button', { name: 'Start recording' }).click()
    await page.waitForSelector('.timer')
    await page.evaluate(
      `for (let i = 0; i < 80; i += 1) stage.level.value = Math.abs(Math.sin(i / 7) * Math.sin(i * 1.7)); ${recorder(change)}`,
    )
  }

const openDictation = async (page: Page): Promise<void> => {
  await openClient(page)
  await page.getByRole('button', { name: 'Dictate' }).click()
  await page.getByRole('button', { name: 'Start dictating' }).click()
  await page.waitForSelector('.timer')
}

/** The stage is no secure page, which browsers give no microphone. */
const sharesSound = `Object.defineProperty(navigator, 'mediaDevices', {
  value: { getDisplayMedia() {}, getSupportedConstraints: () => ({ suppressLocalAudioPlayback: true }) } })`

export const openSession = async (page: Page): Promise<void> => {
  await page.locator('.list-row', { hasText: 'Joanna' }).first().click()
  await page.waitForSelector('[role=tabpanel], .steps, .screen .notice')
}

const openSessionAt =
  (change: string) =>
  async (page: Page): Promise<void> => {
    await page.evaluate(`stage.service.session.value = { ...stage.service.session.value, ${change} }`)
    await openSession(page)
  }

/** Nothing came of it but why. */
export const openFailed = async (page: Page, change: string): Promise<void> => {
  await page.evaluate(`stage.service.write({ status: 'failed', note: [] })`)
  await openSessionAt(
    `stage: 'failed', status: 'failed', hasTranscript: false, hasSummary: false, hasMdm: false, ${change}`,
  )(page)
  await page.waitForSelector('.notice')
}

export const openFailedTyping = async (page: Page): Promise<void> => {
  await page.evaluate(`stage.service.typed.push('Denies SI.\\nPlan: sleep diary')`)
  await openFailed(
    page,
    `source: 'typed', hasAudio: false, canBeTriedAgain: true, failure: 'The session could not be processed'`,
  )
  await page.getByRole('button', { name: 'Change what you typed' }).waitFor()
}

export const openNote = async (page: Page): Promise<void> => {
  await openSession(page)
  await page.waitForSelector('.sentence')
}

/** Its texts are gone, and it could not be written again. */
export const openStruck = async (page: Page): Promise<void> => {
  await page.evaluate(`stage.service.write({ status: 'failed', isEmptied: true, note: [] })`)
  await openSession(page)
  await page.waitForSelector('.notice.danger')
}

/** Home, with all kinds of it. */
const openWithDanger = async (page: Page): Promise<void> => {
  await page.evaluate(
    'stage.service.danger.value = stage.data.danger; stage.engine.select(stage.data.joanna.id)',
  )
  await page.waitForSelector('.danger-strip')
  await page.evaluate('stage.engine.select(null)')
  await page.waitForSelector('.danger-strip .danger-what > .link')
}

export const openNoteBesideDanger = async (page: Page): Promise<void> => {
  await page.evaluate('stage.service.danger.value = stage.data.danger')
  await openNote(page)
  await page.waitForSelector('.danger-strip')
}

export const openReview = async (page: Page): Promise<void> => {
  await page.evaluate('stage.service.write({ review: stage.data.review })')
  await openNote(page)
}

export const openExtract = async (page: Page): Promise<void> => {
  await page.evaluate(
    'stage.service.write({ note: stage.data.extractSections, writer: stage.data.extractWriter })',
  )
  await openNote(page)
}

/** With both kinds of lists, and a line of text between them. */
export const openLists = async (page: Page): Promise<void> => {
  await page.evaluate(
    `stage.service.write({ note: stage.data.judgedSections.map((section) => section.key === 'plan' ? { ...section, content: 'For this week:\\n\\n1. Continue the thought record.\\n2. Walk in the evening.\\n\\nAlso:\\n- Letter to the family doctor\\n- Next appointment on Tuesday', evidence: [{ ...section.evidence[0], sentence: 'Continue the thought record.', transcriptItems: [12, 13] }] } : section) })`,
  )
  await openNote(page)
}

const signedNote = `status: 'finalized', finalizedAt: '2026-11-15T11:00:00.000Z',
  signedBy: { kind: 'clinician', id: stage.data.clinician.id, name: 'Ada Example', at: '2026-11-15T11:00:00.000Z' }`

export const openSigned = async (page: Page): Promise<void> => {
  await page.evaluate(`stage.service.write({ ${signedNote} })`)
  await openNote(page)
  await page.getByText('Signed by Ada Example on').waitFor()
}

const awaitedNote = (supervisor: string): string => `
  signedBy: { kind: 'clinician', id: 'trainee', name: 'Noor Haddad', at: '2026-11-15T10:40:00.000Z' },
  coSignature: { state: 'awaited', supervisor: ${supervisor}, returned: null }`

/** As the supervisor sees it, from home; they do not treat the client. */
export const openToCoSign = async (page: Page): Promise<void> => {
  await page.evaluate(
    `stage.service.session.value = { ...stage.service.session.value, isTreated: false };
    stage.service.write({ ${awaitedNote(`{ id: stage.data.clinician.id, name: 'Amara Osei', active: true }`)} });
    stage.engine.select(stage.data.joanna.id)`,
  )
  await page.waitForSelector('h1:has-text("Joanna")')
  await page.evaluate('stage.engine.select(null)')
  await page.getByRole('heading', { name: 'To co-sign' }).waitFor()
  await page.getByRole('button', { name: 'Signed by Noor Haddad' }).click()
  await page.getByText('Waits for Amara Osei to co-sign').waitFor()
}

const openTab =
  (name: string) =>
  async (page: Page): Promise<void> => {
    await openNote(page)
    await page.getByRole('tab', { name }).click()
    await page.waitForSelector('[role=tabpanel]:not(:has(.pending))')
  }

export const openTranscript = openTab('Transcript')

/** Of the second line. */
const beginCorrection = async (page: Page): Promise<void> => {
  await openTranscript(page)
  await page
    .getByRole('button', { name: /^Correct the words at/ })
    .nth(1)
    .click()
}

export const chooseInMenu = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name }).click()
}

const openDialog =
  (open: (page: Page) => Promise<void>) =>
  async (page: Page): Promise<void> => {
    await openNote(page)
    await open(page)
    await page.waitForSelector('dialog[open]:not(:has(.pending))')
  }

export const editSubjective = async (page: Page, text: string): Promise<void> => {
  await page.getByRole('button', { name: 'Edit Subjective' }).click()
  await page.getByRole('textbox', { name: 'Subjective' }).fill(text)
}

/** As if another tab had saved this. */
export const editElsewhere = async (page: Page, key: string, content: string): Promise<void> => {
  await page.evaluate(
    `stage.service.write({ note: stage.service.note.value.note.map((section) => section.key === ${JSON.stringify(key)} ? { ...section, content: ${JSON.stringify(content)}, evidence: [] } : section) })`,
  )
}

export const askMagicEdit = async (page: Page, instruction: string): Promise<void> => {
  await page.getByLabel('What should be changed?').fill(instruction)
  await page.getByRole('button', { name: 'Apply' }).click()
  await page.getByText('The note is being changed').waitFor()
}

/** As the service does it: one section shorter, one taken out. */
export const doMagicEdit = async (page: Page, gone = '[]'): Promise<void> => {
  await openNote(page)
  await askMagicEdit(page, 'Make it shorter')
  await page.evaluate(
    `stage.service.gone.value = ${gone}; stage.service.write({ isLoading: false, status: 'regenerated', progressNoteId: 'next', note: stage.data.sections.filter(({ key }) => key !== 'objective').map((section) => (section.key === 'plan' ? { ...section, content: 'Continue.', evidence: [] } : section)) }, 'magic_edit')`,
  )
  await page.waitForSelector('.rewriting:focus')
}

export const goneGun = `[{ id: 'gun', kind: 'danger', label: 'Access to means of suicide: affirmed', words: 'The pills are still in the drawer.', transcriptItems: [3], isContradicted: false }, { id: 'sentence-1', kind: 'weapon', label: null, words: 'Brother keeps the hunting rifle locked.', transcriptItems: [], isContradicted: false }]`

const unfinished = `[{ recordingId: 'r1', clientId: stage.data.joanna.id, clientLabel: 'Joanna Smith', startedAt: '2026-11-14T15:00:00.000Z', seconds: 1261, recordedBytes: 9, uploadedBytes: 3, isOpenElsewhere: false }, { recordingId: 'r2', clientId: 'x', clientLabel: 'Johan Lindqvist', startedAt: '2026-11-14T16:00:00.000Z', seconds: 61, recordedBytes: 9, uploadedBytes: 3, isOpenElsewhere: true }]`

const sending = `[{ recordingId: 'r3', sessionId: stage.data.session.sessionId, clientId: stage.data.joanna.id, clientLabel: 'Joanna Smith', recordedBytes: 100, uploadedBytes: 62, isOffline: true, problem: null, warning: 'This device’s storage is full. Do not close this page.' }, { recordingId: 'r4', sessionId: null, clientId: 'x', clientLabel: 'Johan Lindqvist', recordedBytes: 100, uploadedBytes: 10, isOffline: false, problem: 'Not found.', warning: null }]`

/** The page around the widget moves on to another client. */
export const showJohan = `stage.chart.value = { clientId: stage.data.clients.find(({ lastName }) => lastName === 'Lindqvist').id, options: {}, serial: 1 }`

const openCorrection = async (page: Page): Promise<void> => {
  await openNote(page)
  await page.evaluate(showJohan)
  await page.getByRole('button', { name: 'Wrong client?' }).click()
  await page.waitForSelector('dialog[open]:has-text("Johan Lindqvist")')
}

export const screenStates: Record<string, (page: Page) => Promise<void>> = {
  'signing in with a mailed code': async (page) => {
    await page.evaluate(
      `stage.ownSignIn.value = { email: 'ada@clinic.example', isAsked: () => false, request: async () => {}, redeem: async () => {} };
      stage.auth.value = { state: 'signedOut' }`,
    )
    await page.getByRole('button', { name: 'Send the code' }).click()
    await page.waitForSelector('input:focus')
  },
  'a note to co-sign': openToCoSign,
  'a note that waits for a supervisor who is gone': async (page) => {
    await page.evaluate(
      `stage.service.write({ ${awaitedNote(`{ id: 'x', name: 'Bea Example', active: false }`)} })`,
    )
    await openNote(page)
    await page.getByText('Bea Example is no longer active').waitFor()
  },
  'returning a note': async (page) => {
    await openToCoSign(page)
    await page.getByRole('button', { name: 'Return' }).click()
    await page.waitForSelector('dialog[open] textarea:focus')
  },
  'a returned note': async (page) => {
    await page.evaluate(
      `stage.service.write({ coSignature: { state: 'returned', supervisor: null, returned: { by: { id: 'x', name: 'Bea Example' }, reason: 'Please add what was agreed for the weekend.', at: '2026-11-15T11:30:00.000Z' } } })`,
    )
    await openNote(page)
    await page.getByText('Returned by Bea Example').waitFor()
  },
  starting: set(`stage.auth.value = { state: 'starting' }`),
  'signed out': set(`stage.auth.value = { state: 'signedOut' }`),
  refused: set(
    `stage.auth.value = { state: 'refused', reason: 'This page may not show session notes.', canRetry: false }`,
  ),
  'refused for now': set(
    `stage.auth.value = { state: 'refused', reason: 'The service could not do this. Please try again.', canRetry: true }`,
  ),
  'authentication required': set(`stage.auth.value = { state: 'authenticationRequired', clinician: null }`),
  'authentication required while working': set(
    `stage.auth.value = { state: 'authenticationRequired', clinician: stage.data.clinician }`,
  ),
  locked: set(`stage.auth.value = { state: 'locked', clinician: stage.data.clinician, isAsked: false }`),
  'locked, and asked to open': set(
    `stage.auth.value = { state: 'locked', clinician: stage.data.clinician, isAsked: true }`,
  ),
  home: async (page) => void (await page.waitForSelector('.list-row')),
  'home with unfinished recordings': set(
    `stage.unfinished.value = ${unfinished}; stage.sending.value = ${sending}`,
  ),
  'search with results': async (page) => {
    await page.getByRole('searchbox').fill('jo')
    await page.waitForSelector('search .list-row')
  },
  'search without results': async (page) => {
    await page.getByRole('searchbox').fill('zzz')
    await page.waitForSelector('search > p')
  },
  'search that failed': async (page) => {
    await page.evaluate(`stage.service.failures.push({ path: '/clients', status: 0, message: '' })`)
    await page.getByRole('searchbox').fill('jo')
    await page.waitForSelector('search .notice')
  },
  client: openClient,
  'home with open danger': async (page) => {
    await openWithDanger(page)
    await page.getByText('2 seen by you, still open').click()
  },
  'client with open danger': async (page) => {
    await openWithDanger(page)
    await openClient(page)
    await page.waitForSelector('.danger-strip')
  },
  'open danger that could not be loaded': async (page) => {
    await page.evaluate(`stage.service.failures.push({ path: '/danger', status: 500, message: '' })`)
    await openClient(page)
    await page.waitForSelector('.notice.warning')
  },
  'note beside open danger': openNoteBesideDanger,
  'closing what is open about danger': async (page) => {
    await openNoteBesideDanger(page)
    await page.getByRole('button', { name: 'Close …: PHQ-9' }).click()
    await page.waitForSelector('dialog[open]')
  },
  'signing beside open danger': async (page) => {
    await openNoteBesideDanger(page)
    await page.getByRole('button', { name: 'Sign', exact: true }).click()
    await page.waitForSelector('dialog[open] .notice.danger')
  },
  'client without consent': async (page) => {
    await page.evaluate('stage.service.client.value = { ...stage.data.joanna, consentedAt: null }')
    await openClient(page)
  },
  'client who did not agree': async (page) => {
    await page.evaluate('stage.service.client.value = { ...stage.data.joanna, consentedAt: null }')
    await openClient(page)
    await page.getByRole('button', { name: 'did not agree' }).click()
    await page.waitForSelector('.notice.info')
  },
  'typing a note': async (page) => {
    await openClient(page)
    await page.getByRole('button', { name: 'Type a note' }).click()
    await page
      .getByRole('textbox', { name: 'What happened' })
      .fill('Client reports low mood since May. Denies SI.\nPlan: sleep diary, back in one week.')
  },
  'about to dictate': async (page) => {
    await page.evaluate('stage.service.client.value = { ...stage.data.joanna, consentedAt: null }')
    await openClient(page)
    await page.getByRole('button', { name: 'Dictate' }).click()
    await page.getByText('Only you, after the session: the client is not heard.').waitFor()
  },
  dictating: openDictation,
  'client with a dictation that was cut short': async (page) => {
    await page.evaluate(
      `stage.unfinished.value = ${unfinished}.map((one) => ({ ...one, isDictated: true })); undefined`,
    )
    await openClient(page)
    await page.getByText('Dictation').first().waitFor()
  },
  'a dictation on its way': async (page) => {
    await openSessionAt(`source: 'dictated', stage: 'transcribing', stageProgress: 0.4`)(page)
    await page.getByText('What you dictated is written down.').waitFor()
  },
  'the transcript of a dictation': async (page) => {
    await page.evaluate(`stage.service.session.value = { ...stage.service.session.value, source: 'dictated' };
      stage.service.transcript.value = { ...stage.service.transcript.value, transcriptItems: stage.service.transcript.value.transcriptItems.slice(0, 4).map((item) => ({ ...item, speaker: 'clinician', source: 'dictated' })) }`)
    await openNote(page)
    await page.getByRole('tab', { name: 'Transcript' }).click()
    await page.getByText('this was dictated by the clinician').waitFor()
  },
  'typing a note beside another chart': async (page) => {
    await openClient(page)
    await page.getByRole('button', { name: 'Type a note' }).click()
    await page.evaluate(showJohan)
    await page.getByText('Your record system shows Johan Lindqvist').waitFor()
  },
  'what was typed into a section that is gone': async (page) => {
    await openNote(page)
    await editSubjective(page, 'Client slept well.')
    await page.evaluate(
      `stage.service.write({ note: stage.service.note.value.note.filter(({ key }) => key !== 'subjective') })`,
    )
    await page.getByRole('group', { name: 'No longer in the note: Subjective' }).waitFor()
  },
  'a session in another language': async (page) => {
    await openFailed(
      page,
      `canWriteAnyway: true, failure: 'The talk could not be understood: it was not in English, or too little of it could be heard'`,
    )
    await page.getByRole('button', { name: 'It was English' }).waitFor()
  },
  'a typed note that failed': openFailedTyping,
  'a session that was tried again': async (page) => {
    await openFailed(page, `triedAgainAs: 'other', failure: 'The session could not be processed'`)
    await page.getByText('This session was tried again').waitFor()
  },
  'client with a note that waits to be typed on': async (page) => {
    await page.evaluate(`stage.drafts.value = stage.makeStageDrafts(); stage.drafts.value.put('drafts',
      { draftId: stage.data.clinician.id + '/typed/' + stage.data.joanna.id, keptAtMs: Date.now() })`)
    await openClient(page)
    await page.getByText('A note that you began to type').waitFor()
  },
  'words that go with a file': async (page) => {
    await openClient(page)
    await page.getByText('Words of your own for the note').click()
    await page.getByLabel('Jot down').fill('Looked away when speaking of work')
  },
  'a typed note on its way': async (page) => {
    await openSessionAt(`source: 'typed', stage: 'writing', stageProgress: 0.4`)(page)
  },
  'the transcript of a typed note': async (page) => {
    await page.evaluate(`stage.service.session.value = { ...stage.service.session.value, source: 'typed', hasAudio: false };
      stage.service.transcript.value = { ...stage.service.transcript.value, transcriptItems: stage.service.transcript.value.transcriptItems.slice(0, 4).map((item) => ({ ...item, startTime: 0, endTime: 0, speaker: 'clinician', source: 'typed' })) }`)
    await openNote(page)
    await page.getByRole('tab', { name: 'Transcript' }).click()
    await page.waitForSelector('.lines')
  },
  'withdrawing consent': async (page) => {
    await openClient(page)
    await page.getByRole('button', { name: 'Withdraw consent' }).click()
    await page.waitForSelector('dialog[open]')
  },
  'consents of a client': async (page) => {
    await openClient(page)
    await page.getByText('Consents', { exact: true }).click()
    await page.getByLabel('Full name').fill('Grace Guardian')
  },
  'the words of a consent': async (page) => {
    await openClient(page)
    await page.getByText('Consents', { exact: true }).click()
    await page.getByLabel('Full name').fill('Grace Guardian')
    await page.getByLabel('I have read the text, and I agree.').check()
    await page.getByRole('button', { name: 'Sign', exact: true }).click()
    await page.getByText('Show what was signed').click()
    await page.locator('li details').getByText('It is your choice.').waitFor()
  },
  'archived client': async (page) => {
    await page.evaluate('stage.service.client.value = { ...stage.data.joanna, isArchived: true }')
    await openClient(page)
  },
  'unknown client': async (page) => {
    await page.evaluate(
      `stage.service.failures.push({ path: '/clients/x', status: 404, message: 'Not found' }); stage.engine.select('x')`,
    )
    await page.waitForSelector('.notice.warning')
  },
  'microphone unavailable': async (page) => {
    await openClient(page)
    await page.evaluate(
      `stage.recorder.value = { state: 'unavailable', reason: 'The page does not let its frames use the microphone.' }`,
    )
  },
  recording: openRecording(''),
  'recording with words and marks': async (page) => {
    await openRecording('')(page)
    await page.getByLabel('Jot down').fill('Looked away when speaking of work\nPlan: letter for the school')
    await page.getByRole('button', { name: 'Mark as important' }).click()
    await page.waitForSelector('.mark-chip')
  },
  'recording with what is heard': async (page) => {
    await openRecording(`sessionId: stage.data.session.sessionId`)(page)
    await page.waitForSelector('.line[data-draft=true]')
  },
  'recording the other side, too': async (page) => {
    await page.evaluate(sharesSound)
    await openRecording(`otherSide: 'shared'`)(page)
    await page.evaluate('stage.otherLevel.value = 0.6')
    await page.waitForSelector('text=Record without the other side')
  },
  'recording, after the other side was lost': async (page) => {
    await page.evaluate(sharesSound)
    await openRecording(`otherSide: 'ended'`)(page)
    await page.waitForSelector('text=Share the call’s sound')
  },
  'recording in trouble': openRecording(
    `silentSeconds: 34, isOffline: true, warning: 'The storage of this device is full.'`,
  ),
  paused: openRecording(`state: 'paused', pauseReason: 'The microphone was unplugged.'`),
  finishing: openRecording(`state: 'finishing'`),
  'discarding a recording': async (page) => {
    await openRecording('')(page)
    await page.getByRole('button', { name: 'Discard recording' }).click()
    await page.waitForSelector('dialog[open]')
  },
  'recording behind another screen': set(recorder('')),
  'recording, while the page shows another client': async (page) => {
    await openRecording('')(page)
    await page.evaluate(showJohan)
    await page.waitForSelector('.notice:has-text("Johan Lindqvist")')
  },
  'client, while the page shows another one': async (page) => {
    await openClient(page)
    await page.evaluate(showJohan)
    await page.waitForSelector('.notice:has-text("Johan Lindqvist")')
  },
  'note, while the page shows another client': async (page) => {
    await openNote(page)
    await page.evaluate(showJohan)
    await page.waitForSelector('.notice:has-text("Johan Lindqvist")')
  },
  'copying into another client’s chart': async (page) => {
    await openNote(page)
    await page.evaluate(showJohan)
    await page.getByRole('button', { name: 'Copy to record' }).click()
    await page.waitForSelector('dialog[open] button:has-text("Johan Lindqvist")')
  },
  'assessments on the client’s page': async (page) => {
    await openClient(page)
    await page.getByText('Assessments', { exact: true }).click()
    await page.waitForSelector('.outstanding')
  },
  'sending an assessment': async (page) => {
    await openClient(page)
    await page.getByText('Assessments', { exact: true }).click()
    await page.getByRole('button', { name: 'Send an assessment' }).click()
    await page.waitForSelector('dialog[open] [type=checkbox]')
  },
  'answers item by item': async (page) => {
    await openTab('Assessments')(page)
    await page.getByRole('button', { name: 'Answers of Nov 13, 2026' }).click()
    await page.waitForSelector('dialog[open] .answers')
  },
  'finding the right client': async (page) => {
    await openNote(page)
    await page.getByRole('button', { name: 'Wrong client?' }).click()
    await page.getByRole('dialog').getByRole('searchbox').fill('jo')
    await page.waitForSelector('dialog[open] .list-row')
  },
  'moving a recording to the right client': openCorrection,
  'moving a recording to a client who was never asked': async (page) => {
    await page.evaluate(
      'Object.assign(stage.data.clients.find(({ lastName }) => lastName === "Lindqvist"), { consentedAt: null })',
    )
    await openCorrection(page)
    await page.waitForSelector('dialog[open] [type=checkbox]')
  },
  'copies to take out': async (page) => {
    await page.evaluate(
      'stage.service.copies.push({ to: "page", chartClientId: stage.data.joanna.id }, { to: "clipboard" })',
    )
    await openCorrection(page)
    await page.getByRole('button', { name: 'Move to Johan Lindqvist' }).click()
    await page.getByText('into the chart of Joanna Smith').waitFor()
  },
  'session that was put right, with the text before': async (page) => {
    await openCorrection(page)
    await page.getByRole('button', { name: 'Move to Johan Lindqvist' }).click()
    await page.getByRole('button', { name: 'The text before' }).click()
    await page.waitForSelector('dialog[open] h3')
  },
  'session in which one voice was heard': async (page) => {
    await openSessionAt(`isOneVoice: true`)(page)
    await page.getByText('What to do').click()
  },
  'session that lacks what was refused': openSessionAt(
    `contextLeftOut: ['diagnoses', 'namesToKeepOut', 'startedAt']`,
  ),
  'plan that is changed': async (page) => {
    await page.evaluate(`stage.engine.api.send('POST', '/clients/' + stage.data.joanna.id + '/treatment-plans', {
      goals: [{ text: 'Sleep through', objectives: [{ text: 'Keep a diary', targetDate: '2027-01-10' }] }] })`)
    await openClient(page)
    await page.locator('summary', { hasText: 'Treatment plan' }).click()
    await page.getByRole('button', { name: 'Change' }).click()
    await page.getByRole('button', { name: 'Add an objective' }).click()
  },
  'minutes that do not fit the code': openDialog(async (page) => {
    await page.evaluate(`stage.service.billed.value = { serviceCode: '90837', startedAt: '2026-11-15T09:00:00.000Z',
      endedAt: '2026-11-15T09:45:00.000Z' }`)
    await page.getByRole('button', { name: 'Sign', exact: true }).click()
    await page.getByLabel('Service code').waitFor()
  }),
  'withdrawn session': async (page) => {
    await page.evaluate('stage.service.copies.push({ to: "page", chartClientId: stage.data.joanna.id })')
    await openSessionAt(
      `stage: 'failed', status: 'failed', hasTranscript: false, isWithdrawn: true, correctedBy: 'other', failure: 'The session was withdrawn: it was recorded or typed under the wrong client'`,
    )(page)
    await page.waitForSelector('.notice .points')
  },
  uploading: async (page) => {
    await page.evaluate(`stage.sending.value = ${sending}`)
    await openSessionAt(`stage: 'uploading', hasTranscript: false`)(page)
  },
  transcribing: openSessionAt(`stage: 'transcribing', stageProgress: 0.42, hasTranscript: false`),
  preparing: openSessionAt(`stage: 'preparing', stageProgress: null, hasTranscript: false`),
  writing: async (page) => {
    await page.evaluate(
      `stage.service.write({ isLoading: true, status: 'generating', note: stage.data.sections.slice(0, 2) })`,
    )
    await openSessionAt(`stage: 'writing', stageProgress: 0.5, hasSummary: false, hasMdm: false`)(page)
    await page.waitForSelector('.coming')
  },
  'failed session': openSessionAt(
    `stage: 'failed', status: 'failed', hasTranscript: false, failure: 'No speech could be heard in the recording.'`,
  ),
  note: openNote,
  'menu of a note': async (page) => {
    await openNote(page)
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.waitForSelector('[role=menu]')
  },
  'lists in a note': openLists,
  'evidence of a sentence': async (page) => {
    await openNote(page)
    await page.locator('.sentence').nth(1).click()
    await page.waitForSelector('.evidence-panel')
  },
  'evidence beside the text': async (page) => {
    await page.setViewportSize({ width: 820, height: 700 })
    await openNote(page)
    await page.locator('.sentence').nth(1).focus()
    await page.waitForSelector('.evidence-panel.beside .line')
  },
  'lines that were asked for': async (page) => {
    await openNote(page)
    await page.locator('.sentence', { hasText: 'denied thoughts' }).click()
    await page.getByRole('button', { name: 'Show in the transcript' }).click()
    await page.waitForSelector('.asked-for')
  },
  'unsupported sentence': async (page) => {
    await openNote(page)
    await page.locator('.sentence.refused').click()
    await page.waitForSelector('.unsupported-note')
  },
  'sentences by who answers for them': async (page) => {
    await page.evaluate('stage.service.write({ note: stage.data.judgedSections })')
    await openNote(page)
    await page.locator('.sentence.exact_checks_only').click()
    await page.waitForSelector('.evidence-panel:has-text("rules only")')
  },
  'open points': openReview,
  'all open points': async (page) => {
    await openReview(page)
    await page.getByText('2 more').click()
  },
  'signing with open points': async (page) => {
    await openReview(page)
    await page.getByRole('button', { name: 'Sign', exact: true }).click()
    await page.waitForSelector('dialog[open] .notice.danger')
  },
  'signed with open points': async (page) => {
    await page.evaluate(`stage.service.write({ review: stage.data.review, ${signedNote} })`)
    await openNote(page)
    await page.getByText('Signed by Ada Example on').waitFor()
  },
  extract: openExtract,
  'quote of an extract': async (page) => {
    await openExtract(page)
    await page.locator('.sentence').nth(1).click()
    await page.waitForSelector('.evidence-panel')
  },
  'editing a section': async (page) => {
    await openNote(page)
    await editSubjective(page, 'Client slept well.')
  },
  'not saved': async (page) => {
    await openNote(page)
    await page.evaluate(`stage.service.failures.push({ path: '/progress-note', status: 0, message: '' })`)
    await editSubjective(page, 'Client slept well.')
    await page.waitForSelector('.save-state[data-state=failed]')
  },
  'changed in two places': async (page) => {
    await openNote(page)
    await editSubjective(page, 'Client slept well.')
    await editElsewhere(page, 'subjective', 'Client reports a better week.')
    await page.waitForSelector('.sides')
  },
  'magic edit under way': async (page) => {
    await openNote(page)
    await askMagicEdit(page, 'Make it shorter')
  },
  'magic edit failed': async (page) => {
    await openNote(page)
    await askMagicEdit(page, 'Make it rhyme')
    await page.evaluate(
      `stage.service.magicEdits.push({ createdAt: '2026-11-15T10:30:00.000Z', failureReason: '“rhyme” was not understood.' }); stage.service.write({ isLoading: false, status: 'generated', note: stage.data.sections })`,
    )
    await page.waitForSelector('.notice.warning:has-text("rhyme")')
  },
  'magic edit done': (page) => doMagicEdit(page),
  'magic edit that dropped something': (page) => doMagicEdit(page, goneGun),
  'words being corrected': async (page) => {
    await beginCorrection(page)
    await page.waitForSelector('.correct-line textarea:focus')
  },
  'a correction that waits': async (page) => {
    await beginCorrection(page)
    await page.getByLabel('What was said').fill('Bad. I wake up around four.')
    await page.getByRole('tab', { name: 'Note' }).click()
    await page.getByText('You began to correct a line').waitFor()
  },
  'words corrected': async (page) => {
    await beginCorrection(page)
    await page.getByLabel('What was said').fill('Bad. I wake up around four.')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Corrected by Ada Example').waitFor()
  },
  vocabulary: async (page) => {
    await openTranscript(page)
    await page.evaluate(
      `stage.service.requests.send('POST', '/vocabulary', { scope: 'clinic', term: 'Zurzuvae', heard: 'sir two day' })`,
    )
    await page.getByRole('button', { name: 'Words', exact: true }).click()
    await page.waitForSelector('.vocabulary li')
  },
  'version history': async (page) => {
    await openNote(page)
    await editElsewhere(
      page,
      'plan',
      'Continue the thought record; walk with partner. Next appointment on Tuesday.',
    )
    await chooseInMenu(page, 'History')
    await page.waitForSelector('dialog[open] ins')
  },
  'writing again': openDialog((page) => chooseInMenu(page, 'Write again')),
  signing: openDialog((page) => page.getByRole('button', { name: 'Sign', exact: true }).click()),
  signed: async (page) => {
    await page.evaluate(
      `stage.service.write({ status: 'finalized', finalizedAt: '2026-11-15T11:00:00.000Z' })`,
    )
    await openNote(page)
  },
  'signed, with addenda': async (page) => {
    await page.evaluate(
      `stage.service.write({ addenda: ['Client called on the 16th: slept through for two nights.\\nNext appointment moved to Thursday at ten.', 'Letter sent to the family doctor.'].map((text, index) => ({ id: 'addendum-' + index, text, author: index === 0 ? { kind: 'clinician', id: 'c', name: 'Ada Example' } : { kind: 'partner', id: 'p', name: null }, createdAt: '2026-11-16T08:1' + index + ':00.000Z' })) })`,
    )
    await openSigned(page)
    await page.getByText('Letter sent').waitFor()
  },
  'addendum that was not added': async (page) => {
    await openSigned(page)
    await page.evaluate(`stage.service.failures.push({ path: '/addenda', status: 0, message: '' })`)
    await page.getByLabel('Add to this note').fill('Client called on the 16th.')
    await page.getByRole('button', { name: 'Add addendum' }).click()
    await page.waitForSelector('.addenda .notice.danger')
  },
  'note that failed': async (page) => {
    await page.evaluate(`stage.service.write({ status: 'failed', note: [] })`)
    await openSession(page)
    await page.waitForSelector('.notice.danger')
  },
  'note that was struck': openStruck,
  transcript: openTab('Transcript'),
  'transcript with marks': async (page) => {
    await page.evaluate(
      `stage.service.pad.value = { text: 'Looked away when speaking of work', markers: [{ id: 'm1', atSeconds: 9 }, { id: 'm2', atSeconds: 40 }] }`,
    )
    await openTab('Transcript')(page)
    await page.locator('button.mark-chip', { hasText: '0:40' }).click()
    await page.waitForSelector('.lines li button:focus')
  },
  'transcript that plays': async (page) => {
    await openTab('Transcript')(page)
    await page.getByRole('button', { name: 'Play from 0:16' }).click()
    await page.waitForSelector('[aria-current=true]')
  },
  'correcting speakers': async (page) => {
    await openTab('Transcript')(page)
    await page.getByRole('button', { name: 'Correct speakers' }).click()
    await page.waitForSelector('dialog[open]')
  },
  'speakers corrected': async (page) => {
    await openTab('Transcript')(page)
    await page.getByRole('button', { name: 'Correct speakers' }).click()
    await page.getByRole('button', { name: 'Swap clinician and client' }).click()
    await page.getByRole('button', { name: 'Save speakers' }).click()
    await page.waitForSelector('.notice.good')
  },
  'naming three voices': async (page) => {
    await page.evaluate(`{
      const { transcript } = stage.service
      const items = transcript.value.transcriptItems.map((item, at) => {
        const voice = item.speaker === 'clinician' ? 1 : at % 4 === 1 ? 2 : 3
        return { ...item, voice, speaker: voice === 3 ? 'speaker_3' : item.speaker }
      })
      const named = [['clinician', null, null], ['client', 'Joanna', 'client'], ['speaker_3', null, 'partner']]
      const speakers = named.map(([speaker, name, role], at) => ({ voice: at + 1, speaker, name, role }))
      transcript.value = { ...transcript.value, transcriptItems: items, speakers }
    }`)
    await openTab('Transcript')(page)
    await page.getByRole('button', { name: 'Correct speakers' }).click()
    await page.getByRole('group', { name: 'Voice 3' }).waitFor()
  },
  summary: openTab('Summary'),
  mdm: openTab('MDM'),
  assessments: openTab('Assessments'),
}
