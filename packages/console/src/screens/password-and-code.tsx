import { Field } from '../ui/field.js'

interface PasswordAndCodeProps {
  password: string
  code: string
  codeHint: string
  onPassword: (text: string) => void
  onCode: (text: string) => void
}

export const PasswordAndCode = ({ password, code, codeHint, onPassword, onCode }: PasswordAndCodeProps) => (
  <>
    <Field
      label="Password"
      type="password"
      value={password}
      onType={onPassword}
      autocomplete="current-password"
    />
    <Field
      label="Code"
      hint={codeHint}
      value={code}
      onType={onCode}
      autocomplete="one-time-code"
      inputMode="numeric"
    />
  </>
)
