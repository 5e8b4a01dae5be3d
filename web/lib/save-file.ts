/** Delay before the object URL of a saved file is revoked, in ms. The browser has read the file by then. */
const READ_MS = 60_000

/** Saves a file in the downloads folder of the browser. */
export function saveFile(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob)
  const link = Object.assign(document.createElement('a'), { href: address, download: name })
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), READ_MS)
}
