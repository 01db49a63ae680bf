import { findSections, type Found, type SearchEntry } from './find-sections.js'
import { makeElement } from './make-element.js'

/** Search as one types. `/` leads here, arrows choose, Enter opens, Escape leaves. */
export function openSearch(): void {
  const place = document.querySelector<HTMLElement>('.search')
  const indexUrl = document.body.dataset['searchIndex']
  if (place === null || indexUrl === undefined) return
  const list = makeElement('div', { id: 'found', role: 'listbox', 'aria-label': 'Found' })
  const said = makeElement('p', { class: 'said', role: 'status' })
  const input = makeElement('input', {
    type: 'search',
    role: 'combobox',
    'aria-label': 'Search the documentation',
    'aria-controls': list.id,
    'aria-expanded': 'false',
    'aria-autocomplete': 'list',
    'aria-keyshortcuts': '/',
    autocomplete: 'off',
    spellcheck: 'false',
    placeholder: 'Search',
  })
  list.hidden = true
  place.append(input, list, said)
  place.hidden = false
  let entries: Promise<SearchEntry[]> | null = null
  const load = (): Promise<SearchEntry[]> => (entries ??= loadIndex(indexUrl))
  let chosen = -1

  const choose = (index: number): void => {
    const options = [...list.querySelectorAll('[role=option]')]
    chosen = options.length === 0 ? -1 : (index + options.length) % options.length
    for (const [at, option] of options.entries()) option.setAttribute('aria-selected', String(at === chosen))
    const option = options[chosen]
    if (option === undefined) return input.removeAttribute('aria-activedescendant')
    input.setAttribute('aria-activedescendant', option.id)
    option.scrollIntoView({ block: 'nearest' })
  }
  const show = (found: readonly Found[]): void => {
    list.replaceChildren(...found.map(makeOption))
    list.hidden = found.length === 0
    input.setAttribute('aria-expanded', String(found.length > 0))
    choose(0)
    if (found.length === 0) input.removeAttribute('aria-activedescendant')
  }
  const search = async (): Promise<void> => {
    const query = input.value
    try {
      const found = findSections(await load(), query)
      // What was typed meanwhile has its own answer.
      if (input.value !== query) return
      show(found)
      said.textContent = query.trim() === '' ? '' : tellCount(found.length)
    } catch {
      entries = null
      said.textContent = 'The search index could not be loaded.'
    }
    place.classList.toggle('none', said.textContent !== '' && list.childElementCount === 0)
  }
  const leave = (): void => {
    show([])
    said.textContent = ''
    place.classList.remove('none')
  }
  input.addEventListener('focus', () => void search())
  input.addEventListener('input', () => void search())
  input.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      choose(chosen + (event.key === 'ArrowDown' ? 1 : -1))
    } else if (event.key === 'Enter') {
      list.querySelector<HTMLAnchorElement>('[aria-selected=true]')?.click()
    } else if (event.key === 'Escape') {
      input.value = ''
      leave()
    }
  })
  list.addEventListener('click', leave)
  place.addEventListener('focusout', ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && place.contains(relatedTarget))) leave()
  })
  // A press on an option must not take the focus from the field before the click arrives.
  list.addEventListener('pointerdown', (event) => event.preventDefault())
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
    event.preventDefault()
    input.focus()
  })
}

async function loadIndex(url: string): Promise<SearchEntry[]> {
  const answer = await fetch(url)
  if (!answer.ok) throw new Error(`the index answered ${answer.status}`)
  return (await answer.json()) as SearchEntry[]
}

const tellCount = (count: number): string =>
  count === 0 ? 'Nothing found.' : `${count} found. Arrows choose, Enter opens.`

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.matches('input, textarea, select') || target.isContentEditable)

function makeOption({ href, title, heading, excerpt }: Found, index: number): HTMLElement {
  const name = heading === title ? title : `${title} › ${heading}`
  return makeElement(
    'a',
    { href, role: 'option', id: `found-${index}`, 'aria-selected': 'false', tabindex: '-1' },
    makeElement('strong', {}, name),
    makeElement('span', {}, excerpt),
  )
}
