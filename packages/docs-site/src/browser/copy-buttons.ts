import { makeElement } from './make-element.js'

const copiedShownMs = 2_000

export function addCopyButtons(): void {
  const said = makeElement('p', { class: 'said', role: 'status' })
  document.body.append(said)
  for (const code of document.querySelectorAll('pre')) {
    const frame = makeElement('div', { class: 'code' })
    code.replaceWith(frame)
    frame.append(code, makeButton(code, said))
  }
}

function makeButton(code: HTMLElement, said: HTMLElement): HTMLButtonElement {
  const name = `Copy: ${code.getAttribute('aria-label') ?? 'example'}`
  const button = makeElement('button', { type: 'button', class: 'copy', 'aria-label': name }, 'Copy')
  const say = (shown: string, spoken: string): void => {
    button.textContent = shown
    said.textContent = spoken
    setTimeout(() => {
      button.textContent = 'Copy'
      said.textContent = ''
    }, copiedShownMs)
  }
  button.addEventListener('click', () => {
    // Browsers give no clipboard to pages over plain http, but for this machine's own.
    const written =
      navigator.clipboard?.writeText(code.textContent ?? '') ?? Promise.reject(new Error('none'))
    written.then(
      () => say('Copied', 'Copied'),
      () => {
        getSelection()?.selectAllChildren(code)
        say('Selected', 'Selected. Copy it with your keyboard.')
      },
    )
  })
  return button
}
