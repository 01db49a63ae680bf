/** A frame may write to the clipboard only where the page allows it; the old way needs no permission. */
export async function writeClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const area = document.createElement('textarea')
    area.value = text
    area.className = 'hidden'
    // Below an open dialog everything is inert.
    ;(document.querySelector('dialog[open]') ?? document.body).append(area)
    area.select()
    const isCopied = document.execCommand('copy')
    area.remove()
    return isCopied
  }
}
