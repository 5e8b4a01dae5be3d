/**
 * Placeholder for the API key in the configuration texts if the page does not know the key, because a key is shown only once.
 */
export const UNKNOWN_KEY = 'YOUR_KEY'

interface Setup {
  id: string
  name: string
  /** Instruction that says where the text belongs, for example 'Run this once in a terminal:'. */
  place: string
  /** The assistant needs the program `mcp.mjs` on the computer of the user. */
  needsBridge?: true
  text: (url: string, key: string) => string
}

const json = (value: object) => JSON.stringify(value, null, 2)
const remote = (url: string, key: string) => ({ url: `${url}/mcp`, headers: { Authorization: `Bearer ${key}` } })

const SAVED_BRIDGE = '/path/to/mcp.mjs'

/** For each AI assistant, the text that connects it to this server. */
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
      'Save mcp.mjs on your computer, which needs Node 18 or newer. Add this to claude_desktop_config.json (Settings, Developer, Edit Config) with the path of the saved file:',
    needsBridge: true,
    text: (url, key) =>
      json({
        mcpServers: {
          lectern: {
            command: 'node',
            args: [SAVED_BRIDGE, '--url', url],
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
  {
    id: 'stdio',
    name: 'Others',
    place:
      'An assistant with Streamable HTTP needs the first two lines. One with only standard input and output starts the command below, with the path of the saved mcp.mjs and Node 18 or newer:',
    needsBridge: true,
    text: (url, key) =>
      `${url}/mcp\nAuthorization: Bearer ${key}\n\nLECTERN_KEY=${key} node ${SAVED_BRIDGE} --url ${url}`,
  },
]
