import type { Transcript } from '@casenote/contract'
import { Later } from '../parts/later.js'

/** A part of its own: most voices are named right. */
const load = () => import('./people-dialog.js')

interface PeopleProps {
  transcript: Transcript
  onClose: () => void
  onSaved: () => void
}

export const Speakers = (props: PeopleProps) => (
  <Later load={load} show={({ SpeakersDialog }) => <SpeakersDialog {...props} />} />
)

export const People = (props: PeopleProps) => (
  <Later load={load} show={({ PeopleDialog }) => <PeopleDialog {...props} />} />
)
