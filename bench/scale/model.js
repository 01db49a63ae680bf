// On paper: what was measured on one machine, carried on to installations that are larger than it. Assumptions are in one place.

/** A clinic as practices of this size run; who has other figures changes them here. */
export const clinic = {
  clinicians: 8,
  sessionsADay: 6,
  minutesASession: 45,
  /** Of a day's sessions, those that end in its busiest hour. */
  peakHourShare: 0.2,
  /** From the start of a recording to a signed note: tokens, pieces of the upload, progress, reading, edits, the partner's own calls. */
  requestsASession: 120,
  /** The contract's events of one session, to one endpoint. */
  deliveriesASession: 4,
  workdaysAYear: 250,
}

/** Measured apart (docs/quality.md, design): what engines on this machine's own kind of core take, in seconds of a core. */
export const engines = {
  /** Of a second of sound. */
  speechFactor: 0.11,
  /** Of an hour of talk. */
  readerSecondsAnHour: 14,
}

/** How full a part may be in the busiest hour: beyond it waiting grows faster than the load. */
const fullness = 0.6

/** `costs`: seconds of a core for a request, a session, a delivery, of the role itself and of the database. */
export function reckon(clinics, costs) {
  const sessionsADay = clinics * clinic.clinicians * clinic.sessionsADay
  const sessionsASecond = (sessionsADay * clinic.peakHourShare) / 3_600
  const requestsASecond = sessionsASecond * clinic.requestsASession
  const deliveriesASecond = sessionsASecond * clinic.deliveriesASession
  const cores = (seconds) => seconds / fullness
  return {
    clinics,
    sessionsADay,
    sessionsAnHour: sessionsASecond * 3_600,
    requestsASecond,
    deliveriesASecond,
    apiCores: cores(requestsASecond * costs.request.own),
    workerCores: cores(sessionsASecond * costs.session.own),
    dispatcherCores: cores(deliveriesASecond * costs.delivery.own),
    databaseCores: cores(
      requestsASecond * costs.request.database +
        sessionsASecond * costs.session.database +
        deliveriesASecond * costs.delivery.database,
    ),
    speechCores: cores(sessionsASecond * clinic.minutesASession * 60 * engines.speechFactor),
    readerCores: cores(sessionsASecond * (clinic.minutesASession / 60) * engines.readerSecondsAnHour),
    databaseGigabytesAYear: (sessionsADay * clinic.workdaysAYear * costs.session.databaseBytes) / 1e9,
    /** For the seven days that recordings are kept after signing, if notes are signed within a day. */
    recordingGigabytes: (sessionsADay * 8 * costs.session.recordingBytes) / 1e9,
  }
}
