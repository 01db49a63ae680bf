/** Opens a section for editing, with these words chosen, once the dialog that led here is gone and has given the focus back. */
export function openSection(key: string, words: string | null): void {
  setTimeout(() => {
    const section = document.querySelector<HTMLElement>(`.note-section[data-key="${CSS.escape(key)}"]`)
    if (section === null) return
    section.scrollIntoView({ block: 'center' })
    if (section.querySelector('textarea') === null)
      section.querySelector<HTMLElement>('.section-head button:last-child')?.click()
    setTimeout(() => chooseWords(section, words), shownAfterMs)
  }, shownAfterMs)
}

/** A drawing of the screen or two: what was clicked stands by then. */
const shownAfterMs = 50

function chooseWords(section: HTMLElement, words: string | null): void {
  const field = section.querySelector('textarea')
  if (field === null) return
  field.focus()
  const at = words === null ? -1 : field.value.indexOf(words)
  if (words !== null && at >= 0) field.setSelectionRange(at, at + words.length)
}
