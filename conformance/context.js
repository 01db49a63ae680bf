// What checks share: the client, the credentials' ids, and data of their own that they make through the API.
import { randomUUID } from 'node:crypto'
import { expectStatus, expectThat, skip } from './expect.js'

/**
 * @typedef {object} Credentials
 * @property {string} baseUrl
 * @property {string} clientId
 * @property {string} clientSecret
 * @property {string} apiKey
 * @property {string} partnerId
 * @property {string} organizationId
 * @property {string} clinicId
 * @property {string} clinicianId
 * @property {string} prescriberId
 * @property {string[]} clientIds
 */

/** @typedef {Record<string, any>} Resource */

/** Speech runs at a tenth of real time on one core; a recording of a few minutes is enough for this suite. */
const noteWaitMs = 180_000

export class Context {
  /** @type {Map<string, Promise<any>>} */
  #shared = new Map()
  /** @type {string[]} */
  #endpointIds = []

  /**
   * @param {object} parts
   * @param {import('./client.js').Client} parts.api
   * @param {Credentials} parts.credentials
   * @param {Credentials | null} parts.other another tenant's, when the caller has them
   * @param {import('./partner-site.js').PartnerSite} parts.site
   * @param {string | null} parts.recordingUrl
   * @param {number} parts.waitMs
   */
  constructor({ api, credentials, other, site, recordingUrl, waitMs }) {
    this.recordingUrl = recordingUrl
    this.api = api
    this.credentials = credentials
    this.other = other
    this.site = site
    /** How long to wait for what the service does on its own. */
    this.waitMs = waitMs
  }

  /** A word that no run has used before. @param {string} [prefix] */
  unique = (prefix = 'conformance') => `${prefix}-${randomUUID()}`

  /** The other tenant's credentials; without them the check is skipped. */
  requireOther = () => this.other ?? skip('needs --other-credentials')

  /** @param {Resource} [fields] @returns {Promise<Resource>} */
  newClinician = (fields = {}) =>
    this.#create(`/clinics/${this.credentials.clinicId}/clinicians`, {
      firstName: 'Conformance',
      lastName: 'Clinician',
      email: `${this.unique()}@example.com`,
      ...fields,
    })

  /** @param {Resource} [fields] with `clinicianId`: whose client @returns {Promise<Resource>} */
  newClient = async ({ clinicianId, ...fields } = {}) => {
    const owner = clinicianId ?? (await this.clinician()).id
    return this.#create(`/clinicians/${owner}/clients`, {
      firstName: 'Conformance',
      lastName: 'Client',
      dateOfBirth: '1990-02-28',
      ...fields,
    })
  }

  /**
   * A session whose recording does not exist: it fails soon and occupies no worker.
   * @param {Resource} [fields] with `clientId`: whose session
   * @returns {Promise<Resource>}
   */
  newSession = async ({ clientId, ...fields } = {}) => {
    const owner = clientId ?? (await this.newClient()).id
    return this.#create(`/clients/${owner}/sessions`, { fileUrl: this.site.missingUrl(), ...fields })
  }

  /** One clinician of this run, for checks that do not care whose. @returns {Promise<Resource>} */
  clinician = () => this.once('clinician', () => this.newClinician())

  /** @returns {Promise<Resource>} */
  prescriber = () => this.once('prescriber', () => this.newClinician({ prescriber: true }))

  /** One client of this run that no check changes. @returns {Promise<Resource>} */
  client = () => this.once('client', () => this.newClient())

  /** One session of this run whose recording is being sent and never comes. @returns {Promise<Resource>} */
  session = () => this.once('session', () => this.newSession({ fileUrl: this.site.silentUrl() }))

  /** The clinician with 21 clients, created one after another: three pages. */
  crowd = () =>
    this.once('crowd', async () => {
      const clinician = await this.newClinician()
      const clients = []
      for (let index = 0; index < 21; index += 1)
        clients.push(await this.newClient({ clinicianId: clinician.id, firstName: `Number ${index}` }))
      return { clinician, clients }
    })

  /**
   * A session whose recording does not exist, with the event about it if the service sends one in time; else null.
   * @returns {Promise<{ session: Resource, endpoint: Resource, delivery: import('./partner-site.js').Received | null }>}
   */
  failedSession = () =>
    this.once('failed session', async () => {
      const { url, next } = this.site.receiver()
      const endpoint = await this.newEndpoint({
        url,
        eventTypes: ['session_transcript_error'],
        digestHeader: 'X-Conformance-Signature',
      })
      const session = await this.newSession({ sessionExternalId: this.unique('visit') })
      const delivery = await next((received) => received.text.includes(session.id), this.waitMs)
      return { session, endpoint, delivery }
    })

  /**
   * A session of a prescriber, made from the caller's recording, once all that is made of it is there.
   * @returns {Promise<{ session: Resource, note: Resource }>}
   */
  newRecordedNote = async () => {
    if (this.recordingUrl === null)
      skip('needs --recording: a recording that the service can fetch and its pipeline')
    await this.#eventReceiver()
    const client = await this.newClient({ clinicianId: (await this.prescriber()).id })
    const noteType = 'psychiatric_evaluation'
    const session = await this.newSession({
      clientId: client.id,
      fileUrl: this.recordingUrl,
      noteType,
      sessionExternalId: this.unique('visit'),
    })
    await this.#settledSession(session.id)
    return { session, note: await this.settledNote(session.id) }
  }

  /** MDM elements and the summary come after the note. @param {string} sessionId */
  #settledSession = async (sessionId) => {
    const deadline = Date.now() + noteWaitMs
    for (;;) {
      const answer = await this.api.get(`/sessions/${sessionId}`)
      expectStatus(answer, 200)
      if (answer.json.status === 'completed') return
      const isUnderWay = answer.json.status !== 'failed' && Date.now() < deadline
      expectThat(isUnderWay, `a completed session within ${noteWaitMs} ms`, answer)
      await new Promise((resolve) => setTimeout(resolve, 250))
    }
  }

  /**
   * The note of a session once nothing is being written.
   * @param {string} sessionId
   * @returns {Promise<Resource>}
   */
  settledNote = async (sessionId) => {
    const deadline = Date.now() + noteWaitMs
    for (;;) {
      const answer = await this.api.get(`/sessions/${sessionId}/progress-note`)
      expectStatus(answer, 200)
      if (answer.json.isLoading === false) return answer.json
      expectThat(Date.now() < deadline, `a note within ${noteWaitMs} ms`, answer)
      await new Promise((resolve) => setTimeout(resolve, 250))
    }
  }

  #eventReceiver = () =>
    this.once('event receiver', async () => {
      const receiver = this.site.receiver()
      await this.newEndpoint({ url: receiver.url })
      return receiver
    })

  /**
   * The next event of a type about a session made by newRecordedNote; null if none comes in time.
   * @param {string} eventType
   * @param {string} sessionId
   * @returns {Promise<Resource | null>}
   */
  nextEvent = async (eventType, sessionId) => {
    const { next } = await this.#eventReceiver()
    const received = await next(
      ({ text }) => text.includes(`"${eventType}"`) && text.includes(sessionId),
      this.waitMs,
    )
    return received === null ? null : JSON.parse(received.text)
  }

  /** One written note of this run that no check changes. */
  recordedNote = () => this.once('recorded note', () => this.newRecordedNote())

  /**
   * One written note of this run as it is now: checks change its text and whom its transcript names, and neither regenerate nor finalize
   * it.
   */
  noteToChange = async () => {
    const { session } = await this.once('note to change', () => this.newRecordedNote())
    return { session, note: await this.settledNote(session.id) }
  }

  /** A webhook endpoint, removed at the end of the run. @param {Resource} [fields] @returns {Promise<Resource>} */
  newEndpoint = async (fields = {}) => {
    const endpoint = await this.#create('/webhook-endpoints', { url: this.site.receiver().url, ...fields })
    this.#endpointIds.push(endpoint.id)
    return endpoint
  }

  /** Whatever is created may stay, but endpoints would go on receiving the tenant's events. */
  async close() {
    for (const id of this.#endpointIds) await this.api.delete(`/webhook-endpoints/${id}`)
  }

  /**
   * The tenant's own id for a name in a path; skips the check when there is none.
   * @param {string} name
   * @returns {Promise<string>}
   */
  ownId = async (name) => {
    switch (name) {
      case 'partnerId':
      case 'organizationId':
      case 'clinicId':
      case 'clinicianId':
        return this.credentials[name]
      case 'clientId':
        return this.credentials.clientIds[0] ?? (await this.client()).id
      case 'sessionId':
        return (await this.session()).id
      case 'progressNoteId':
        return this.progressNoteId()
      case 'treatmentPlanId':
        return (await this.treatmentPlan()).id
      case 'consentId':
        return (await this.consent()).id
      case 'webhookEndpointId':
        return (await this.once('endpoint', () => this.newEndpoint())).id
      default:
        throw new Error(`no ${name} can be made from outside`)
    }
  }

  /** One plan of this run that no check signs or ends. @returns {Promise<Resource>} */
  treatmentPlan = () =>
    this.once('treatment plan', async () =>
      this.#create(`/clients/${(await this.client()).id}/treatment-plans`, {
        goals: [{ text: 'Sleep through at least five nights a week' }],
      }),
    )

  /** Of another one in the room: it allows nothing. @returns {Promise<Resource>} */
  consent = () =>
    this.once('consent', async () =>
      this.#create(`/clients/${await this.ownId('clientId')}/consents`, {
        method: 'by_word',
        relation: 'participant',
        personName: 'Ada Testwell',
        textVersion: 'casenote-1',
      }),
    )

  /** The id of a note that is still being generated. */
  progressNoteId = async () => {
    const { id } = await this.session()
    const answer = await this.api.get(`/sessions/${id}/progress-note`)
    expectStatus(answer, 200)
    return answer.json.progressNoteId ?? skip('the note has no id before it is written')
  }

  /**
   * @template T
   * @param {string} name
   * @param {() => Promise<T>} make
   * @returns {Promise<T>}
   */
  once = (name, make) => {
    const known = this.#shared.get(name)
    if (known !== undefined) return known
    const made = make()
    this.#shared.set(name, made)
    return made
  }

  /** @param {string} path @param {Resource} body @returns {Promise<Resource>} */
  async #create(path, body) {
    const answer = await this.api.post(path, body)
    expectStatus(answer, 201)
    return answer.json
  }
}
