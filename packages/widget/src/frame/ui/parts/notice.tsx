import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from './icon.js'

type NoticeKind = 'info' | 'good' | 'warning' | 'danger'

const icons: Record<NoticeKind, IconName> = {
  info: 'info',
  good: 'check',
  warning: 'warning',
  danger: 'warning',
}

interface NoticeProps {
  kind: NoticeKind
  icon?: IconName
  title?: string
  /** `alert` interrupts a screen reader; `status` waits for a pause. Without: only read in its place. */
  role?: 'alert' | 'status'
  /** The focus can be moved here, by us alone. */
  isFocusable?: boolean
  children?: ComponentChildren
  actions?: ComponentChildren
}

export const Notice = ({ kind, icon, title, role, isFocusable, children, actions }: NoticeProps) => (
  <div class={`notice ${kind}`} role={role} tabIndex={isFocusable === true ? -1 : undefined}>
    <Icon name={icon ?? icons[kind]} />
    <div class="notice-body">
      {title === undefined ? null : <p class="notice-title">{title}</p>}
      {children === undefined ? null : <div>{children}</div>}
      {actions === undefined ? null : <div class="row">{actions}</div>}
    </div>
  </div>
)
