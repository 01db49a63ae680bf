import type { TextLanguage } from '@casenote/contract'

/** Version of the texts below. Another wording is another version: somebody has signed this one. */
export const defaultVersion = 'casenote-1'

/** Where neither the organization nor the partner has a text of its own. Plain words, and no claim about any law. */
export const defaultTexts: Readonly<Record<TextLanguage, string>> = {
  en: `Your clinician would like to record your sessions. Please read what that means before you agree.

- The recording is made only to write the clinical note about the session.
- It is turned into text by a computer. Your clinician reads and corrects the note before signing it.
- Recording and note are kept by your clinic, protected, for as long as its rules say.
- If somebody else is in the room, they are asked as well.

It is your choice. Your care does not depend on it.

You can take your agreement back at any time: on this page, or by telling your clinician. A recording that is under way then ends. What was recorded before stays, unless you ask your clinic to delete it.`,
  es: `Su profesional desea grabar las sesiones con usted. Lea qué significa antes de aceptar.

- La grabación se hace únicamente para redactar la nota clínica de la sesión.
- Una computadora la convierte en texto. Su profesional lee y corrige la nota antes de firmarla.
- Su clínica guarda la grabación y la nota, protegidas, durante el tiempo que indican sus normas.
- Si hay otra persona presente, también se le pregunta.

Usted decide. Su atención no depende de ello.

Puede retirar su consentimiento en cualquier momento: en esta página o diciéndoselo a su profesional. Entonces termina la grabación que esté en curso. Lo grabado antes se conserva, salvo que pida a su clínica que lo borre.`,
}

/** The words of a version that is ours. Null: it was said in words of the clinician's own, or nobody kept them. */
export const findOurWords = (version: string, language: TextLanguage): string | null =>
  version === defaultVersion ? defaultTexts[language] : null

/** What the widget has clinicians say in their own words: read out, never signed. */
export const spokenVersions: Readonly<Record<TextLanguage, string>> = { en: 'en-1', es: 'es-1' }
