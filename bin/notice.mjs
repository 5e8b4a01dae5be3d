/** `npm run notice`: writes NOTICE, the list of shipped packages with their licences. A test compares it with the lock file. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { noticeText } from './prepare/notice.mjs'
import { main, root } from './prepare/programs.mjs'

await main(async () => {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const readNotice = (path) => {
    const file = join(root, path, 'NOTICE')
    return existsSync(file) ? readFileSync(file, 'utf8') : null
  }
  writeFileSync(join(root, 'NOTICE'), noticeText(lock, readNotice))
})
