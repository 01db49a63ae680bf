/** For the person. Names nobody: a folder listing or a search index may show it. */
export const readmeText = `This folder holds what a clinical documentation service keeps about one person.

Whoever can open this folder can read all of it. Keep it where only you can.

  notes/             the notes about your sessions, as PDF
  recordings/        the recordings, as they were made
  sessions/          for each session: transcript, note, summary and their history, and what was known
                     or typed beside it, as JSON.
                     A file that ends in .pad.json is what the clinician jotted down meanwhile
  assessments.json   the questionnaires that you were given, your answers and their scores
  danger.json        what was said or answered about danger, and what became of it
  treatment-plans.json
                     what you are treated by: every plan, every version, and who signed it
  client.json        name and address, who treats you, and what you said about being recorded
  access-log.json    who saw or changed something of this, and when
  fhir/bundle.json   the same for other health systems: HL7 FHIR R4, a Bundle of type collection.
                     Addresses in it that begin with ../ lead to files of this folder
  manifest.json      every file with its size and SHA-256, written last

Times are in UTC. A note that says DRAFT was not signed when this was made.
`
