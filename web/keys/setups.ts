/** Stands for a key that the page does not know. */
export const UNKNOWN_KEY = 'YOUR_KEY'

interface Setup {
  id: string
  name: string
  /** Where the text belongs. */
  place: string
  text: (url: string, key: string) => string
}

const json = (value: object) => JSON.stringify(value, null, 2)
const remote = (url: string, key: string) => ({ url: `${url}/mcp`, headers: { Authorization: `Bearer ${key}` } })

/** Ready texts that connect assistants to this server. */
export const SETUPS: readonly Setup[] = [
  {
    id: 'claude-code',
    name: 'Claude Code',
    place: 'Run this once in a terminal:',
    text: (url, key) => `claude mcp add --transport http lectern ${url}/mcp --header "Authorization: Bearer ${key}"`,
  },
  {
    id: 'claude-desktop',
    name: 'Claude Desktop',
    place:
      'Add this to claude_desktop_config.json (Settings, Developer, Edit Config). Replace the path with that of the folder of Lectern on your computer:',
    text: (url, key) =>
      json({
        mcpServers: {
          lectern: {
            command: 'node',
            args: ['/path/to/lectern/bin/mcp.mjs', '--url', url],
            env: { LECTERN_KEY: key },
          },
        },
      }),
  },
  {
    id: 'cursor',
    name: 'Cursor',
    place: 'Add this to ~/.cursor/mcp.json:',
    text: (url, key) => json({ mcpServers: { lectern: remote(url, key) } }),
  },
  {
    id: 'vs-code',
    name: 'VS Code',
    place: 'Add this to .vscode/mcp.json of a folder, or run the command MCP: Open User Configuration:',
    text: (url, key) => json({ servers: { lectern: { type: 'http', ...remote(url, key) } } }),
  },
]
