import { vi } from 'vitest'

// Runs before each file of the API tests. A file that loads a part of the server, which reads the settings and opens the
// database once, gets its own copy, without the settings of the previous file.
vi.resetModules()
for (const name of ['DATA_DIR', 'DATABASE_URL']) delete process.env[name]
