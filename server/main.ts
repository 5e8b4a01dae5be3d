/** Starts the server: the only side effects of the program. Failures that an operator can mend end in one line. */
try {
  const { start } = await import('./start.ts')
  await start()
} catch (error) {
  const known = error instanceof Error && ['SettingError', 'AppError', 'StartError'].includes(error.name)
  console.error(known ? error.message : error)
  process.exit(1)
}
