import type { ComponentChildren } from 'preact'
import { useTask } from '../task.js'
import { Button } from './button.js'
import { Dialog } from './dialog.js'
import { Failure } from './failure.js'
import type { IconName } from './icon.js'

interface ConfirmDialogProps {
  title: string
  /** Says what will be done, not “OK”. */
  action: string
  icon: IconName
  isDanger?: boolean
  isDisabled?: boolean
  /** The dialog stays, with the reason, when this fails; and as it is where this gives `false`. */
  work: () => Promise<unknown>
  onClose: () => void
  children: ComponentChildren
}

/** A question, its consequences, and the one thing that can be done. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, action, icon, isDanger, isDisabled = false, work, onClose, children } = props
  const task = useTask()
  return (
    <Dialog
      title={title}
      onClose={onClose}
      confirm={
        <Button
          kind={isDanger === true ? 'danger' : 'primary'}
          icon={icon}
          isBusy={task.isBusy}
          isDisabled={isDisabled}
          onClick={() => task.run(() => work().then((isDone) => (isDone === false ? undefined : onClose())))}
        >
          {action}
        </Button>
      }
    >
      {children}
      <Failure error={task.failure} />
    </Dialog>
  )
}
