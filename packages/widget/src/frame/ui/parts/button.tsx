import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from './icon.js'

interface ButtonProps {
  /** `danger` destroys; `quiet` stands beside more important ones. */
  kind?: 'primary' | 'plain' | 'quiet' | 'danger' | 'record'
  icon?: IconName
  /** Where the visible text is not enough out of its place, or there is none. */
  label?: string
  isBusy?: boolean
  isDisabled?: boolean
  isPressed?: boolean
  /** The keys that do the same, as `aria-keyshortcuts` writes them. */
  keys?: string
  class?: string
  onClick?: () => void
  type?: 'button' | 'submit'
  children?: ComponentChildren
}

export const Button = (props: ButtonProps) => (
  <button
    type={props.type ?? 'button'}
    class={`button ${props.kind ?? 'plain'} ${props.class ?? ''} ${props.children === undefined ? 'square' : ''}`}
    aria-label={props.label}
    title={props.children === undefined ? props.label : undefined}
    aria-pressed={props.isPressed}
    aria-keyshortcuts={props.keys}
    // A busy or disabled button keeps the focus: people who cannot see it are not thrown out of their place.
    aria-disabled={props.isBusy === true || props.isDisabled === true}
    aria-busy={props.isBusy}
    onClick={(event) => {
      if (props.isBusy === true || props.isDisabled === true) event.preventDefault()
      else props.onClick?.()
    }}
  >
    {props.icon === undefined ? null : <Icon name={props.icon} />}
    {props.children === undefined ? null : <span>{props.children}</span>}
  </button>
)
