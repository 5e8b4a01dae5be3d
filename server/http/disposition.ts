/**
 * Returns the value of the header Content-Disposition for a file. The browser downloads an 'attachment' and shows an 'inline'
 * file. `name` can contain any characters.
 */
export function disposition(kind: 'attachment' | 'inline', name: string): string {
  const ascii = name.replaceAll(/[^ -~]|["\\/%]/g, '_')
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(name.toWellFormed())}`
}
