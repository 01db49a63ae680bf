import type {
  OpenedLink,
  PageConsent,
  PageInvitation,
  PageSignature,
  PageSitting,
  TextLanguage,
} from '@casenote/contract'
import { signal } from '@preact/signals'
import { callService, type Answered } from './call-service.js'
import { PageLanguage } from './page-language.js'
import { Questionnaire } from './questionnaire.js'
import { forget, keep, readMemory, type TabMemory } from './tab-memory.js'

export type BirthDateProblem = 'refused' | 'tooMany' | 'offline'

export type Screen =
  | { is: 'loading' }
  | { is: 'openAgain' }
  | { is: 'birthDate'; isAgain: boolean; problem: BirthDateProblem | null }
  | { is: 'trouble' }
  | { is: 'questionnaire' }
  | { is: 'invitation'; invitation: PageInvitation }
  | { is: 'consent'; consent: PageConsent; hasFailed: boolean }
  | { is: 'done'; hadNothing: boolean }

/** As long as the service lets in a browser that rests. */
const restMs = 30 * 60_000

/** From the link to the last screen: lets in, shows what the link is for, and forgets. */
export class ClientPage {
  readonly screen = signal<Screen>({ is: 'loading' })
  readonly isBusy = signal(false)
  /** Over a screen that asks no questions; the questionnaire has a place of its own for it. */
  readonly isHelpOpen = signal(false)
  readonly memory: TabMemory | null
  readonly language = new PageLanguage()
  readonly questionnaire: Questionnaire
  #rest: ReturnType<typeof setTimeout> | null = null
  /** A signature of which nobody knows whether it arrived. */
  #unanswered: { signed: string; consentId: string } | null = null

  constructor() {
    this.memory = readMemory()
    this.language.picked.value = this.memory?.picked ?? null
    this.language.ofRecord.value = this.memory?.ofRecord ?? null
    this.questionnaire = new Questionnaire({
      call: (path, body) => callService({ method: 'POST', path, bearer: this.memory?.bearer ?? null, body }),
      remember: (sealed) => this.#remember({ sealed }),
      onShut: () => this.#shut(),
      onStale: () => void this.load(),
      onDone: () => this.#finish(false),
    })
  }

  async load(): Promise<void> {
    if (this.memory === null) return this.#show({ is: 'openAgain' })
    if (this.memory.bearer === null) return this.#show({ is: 'birthDate', isAgain: false, problem: null })
    const { kind, bearer } = this.memory
    if (kind === 'invitation') {
      const call = { method: 'GET', path: '/invitation', bearer } as const
      return this.#take(await callService<PageInvitation>(call), (invitation) =>
        this.#showInvitation(invitation),
      )
    }
    if (kind === 'consent')
      return this.#take(await this.#callConsent('GET', ''), (consent) => this.#showConsent(consent))
    return this.#take(await this.#readSitting(), (sitting) => this.#begin(sitting))
  }

  /** What was answered stays, and so does the question on the screen; only its words change, where there are others. */
  async pickLanguage(language: TextLanguage): Promise<void> {
    this.language.picked.value = language
    this.#remember({ picked: language })
    if (this.screen.value.is === 'consent') return this.#rewordConsent()
    if (this.screen.value.is !== 'questionnaire') return
    const answered = await this.#readSitting()
    // Without a network the questions stay in the words that are here.
    if (answered.is !== 'ok' || this.screen.value.is !== 'questionnaire') return
    // Something was finished, sent or taken back elsewhere meanwhile.
    if (!this.questionnaire.reword(answered.value)) await this.#begin(answered.value)
  }

  async giveBirthDate(dateOfBirth: string): Promise<void> {
    if (this.memory === null || this.isBusy.value) return
    this.isBusy.value = true
    const { kind, token } = this.memory
    const body = { kind, token, dateOfBirth }
    const answered = await callService<OpenedLink>({ method: 'POST', path: '/open', body })
    if (answered.is === 'ok') {
      this.#remember({ bearer: answered.value.bearer })
      await this.load()
    } else {
      const problem = { shut: 'refused', refused: 'refused', tooMany: 'tooMany', away: 'offline' } as const
      this.#show({ is: 'birthDate', isAgain: false, problem: problem[answered.is] })
    }
    this.isBusy.value = false
  }

  async answerInvitation(isAccepted: boolean): Promise<void> {
    if (this.memory === null || this.isBusy.value) return
    this.isBusy.value = true
    const { bearer } = this.memory
    const call = { method: 'POST', path: '/invitation', bearer, body: { isAccepted } } as const
    this.#take(await callService<PageInvitation>(call), (invitation) => this.#showInvitation(invitation))
    this.isBusy.value = false
  }

  /** The words that were on the page are the ones that are signed. */
  async signConsent(signature: Pick<PageSignature, 'personName' | 'relation'>): Promise<void> {
    if (this.screen.value.is !== 'consent' || this.isBusy.value) return
    const { textId, version: textVersion, owner: textOwner, language } = this.screen.value.consent.text
    const body = { ...signature, hasAgreed: true, textId, textVersion, textOwner, language }
    await this.#sendConsent('', { ...body, ...this.#chooseId(JSON.stringify(body)) })
  }

  /** The same again after a lost answer is the same signature; everything else is another one. Only a secure page can make one up. */
  #chooseId(signed: string): Pick<PageSignature, 'consentId'> {
    if (!isSecureContext) return {}
    if (this.#unanswered?.signed !== signed) this.#unanswered = { signed, consentId: crypto.randomUUID() }
    return { consentId: this.#unanswered.consentId }
  }

  async withdrawConsent(): Promise<void> {
    await this.#sendConsent('/withdraw')
  }

  async #sendConsent(path: string, body?: unknown): Promise<void> {
    if (this.screen.value.is !== 'consent' || this.isBusy.value) return
    const { consent } = this.screen.value
    this.isBusy.value = true
    const answered = await this.#callConsent('POST', path, body)
    if (answered.is !== 'away') this.#unanswered = null
    // What was typed stays where it is: only the message is new.
    if (answered.is === 'ok') this.#showConsent(answered.value)
    else if (answered.is === 'shut') this.#shut()
    else this.#show({ is: 'consent', consent, hasFailed: true })
    this.isBusy.value = false
  }

  #callConsent(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Answered<PageConsent>> {
    const bearer = this.memory?.bearer ?? null
    const call = { method, path: `/consent${path}`, bearer, language: this.language.picked.value }
    return callService<PageConsent>(body === undefined ? call : { ...call, body })
  }

  /** Without a network it stays in the words that are here. */
  async #rewordConsent(): Promise<void> {
    const answered = await this.#callConsent('GET', '')
    if (answered.is === 'ok' && this.screen.value.is === 'consent') this.#showConsent(answered.value)
  }

  #showConsent(consent: PageConsent): void {
    this.#goByRecord(consent.language)
    this.#show({ is: 'consent', consent, hasFailed: false })
  }

  seekHelp(): void {
    if (this.screen.value.is === 'questionnaire') this.questionnaire.seekHelp()
    else this.isHelpOpen.value = true
  }

  closeHelp(): void {
    this.isHelpOpen.value = false
  }

  /** What the browser's own "back" means here. False: it leaves the page. */
  back(): boolean {
    if (!this.isHelpOpen.value) return this.screen.value.is === 'questionnaire' && this.questionnaire.back()
    this.closeHelp()
    return true
  }

  /** Told of everything that somebody does here: a page that nobody touches closes itself. */
  stir(): void {
    if (this.#rest !== null) clearTimeout(this.#rest)
    this.#rest = setTimeout(() => this.screen.value.is !== 'done' && this.#shut(), restMs)
  }

  #readSitting(): Promise<Answered<PageSitting>> {
    const bearer = this.memory?.bearer ?? null
    const language = this.language.picked.value
    return callService<PageSitting>({ method: 'GET', path: '/sitting', bearer, language })
  }

  #showInvitation(invitation: PageInvitation): void {
    this.#goByRecord(invitation.language)
    this.#show({ is: 'invitation', invitation })
  }

  #goByRecord(language: string | null): void {
    this.language.ofRecord.value = language
    this.#remember({ ofRecord: language })
  }

  async #begin(sitting: PageSitting): Promise<void> {
    this.#goByRecord(sitting.language)
    if (sitting.assessments.length === 0) return this.#finish(true)
    await this.questionnaire.begin(sitting, this.memory?.sealed ?? null)
    this.#show({ is: 'questionnaire' })
  }

  #take<Value>(answered: Answered<Value>, show: (value: Value) => unknown): void {
    if (answered.is === 'ok') show(answered.value)
    else if (answered.is === 'shut') this.#shut()
    else this.#show({ is: 'trouble' })
  }

  #shut(): void {
    if (this.memory === null || this.memory.bearer === null) return
    this.#remember({ bearer: null })
    this.questionnaire.clear()
    this.#show({ is: 'birthDate', isAgain: true, problem: null })
  }

  #finish(hadNothing: boolean): void {
    forget()
    this.questionnaire.clear()
    this.#show({ is: 'done', hadNothing })
  }

  #remember(change: Partial<TabMemory>): void {
    if (this.memory === null) return
    keep(Object.assign(this.memory, change))
  }

  #show(screen: Screen): void {
    this.screen.value = screen
  }
}
