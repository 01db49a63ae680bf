import { makeElement } from './make-element.js'

/** Where it has a column of its own, the list of headings stands open; elsewhere it would push the page out of sight. */
export function openToc(): void {
  const toc = document.querySelector<HTMLDetailsElement>('.toc details')
  const isWide = matchMedia('(min-width: 78rem)')
  const fit = (): void => {
    if (toc !== null) toc.open = isWide.matches
  }
  isWide.addEventListener('change', fit)
  fit()
}

/** Without a script the menu of a phone is the target of a link; with it, a button opens and closes it. */
export function makeMenuButton(): void {
  const link = document.querySelector('.menu-link')
  const menu = document.querySelector<HTMLElement>('#menu')
  if (link === null || menu === null) return
  const button = makeElement(
    'button',
    { type: 'button', class: 'menu-button', 'aria-controls': 'menu', 'aria-expanded': 'false' },
    'Menu',
  )
  link.replaceWith(button)
  menu.querySelector('.close-menu')?.remove()
  const show = (isOpen: boolean): void => {
    menu.classList.toggle('open', isOpen)
    button.setAttribute('aria-expanded', String(isOpen))
  }
  button.addEventListener('click', () => show(!menu.classList.contains('open')))
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !menu.classList.contains('open')) return
    show(false)
    button.focus()
  })
  // On a desktop the menu is long; the page that is shown must be in sight, and the page itself must not move.
  const current = menu.querySelector<HTMLElement>('[aria-current]')
  if (current !== null) menu.scrollTop = current.offsetTop - menu.clientHeight / 2
}
