import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useBootstrap } from '../api/session.ts'
import { t } from '../i18n/messages.ts'
import { Trans } from '../i18n/trans.tsx'
import { CopyableCommand } from '../ui/copyable-command.tsx'
import { SectionHeader } from './shared/rows.tsx'

/** How assistants connect: the address, and what each of them needs. */
export const Agents = () => {
  const { public_url } = useBootstrap().settings
  const url = `${public_url ?? location.origin}/mcp`
  return (
    <>
      <SectionHeader
        title={t('Connect an agent')}
        about={t(
          'Assistants such as Claude, Cursor and VS Code can search and read the catalog as you, over the Model Context Protocol (MCP).',
        )}
      />
      <Client
        name={t('Address')}
        about={t('Most assistants need only this. They open a page here on which you allow the access.')}
        text={url}
      />
      <Client name="Claude Code" text={`claude mcp add --transport http tablinum ${url}`} />
      <Client
        name="Claude"
        about={t('Settings → Connectors → Add custom connector. The server must be reachable from the internet.')}
        text={url}
      />
      <Client name="Cursor" about={CURSOR_FILE} text={toJson({ mcpServers: { tablinum: { url } } })} />
      <Client name="VS Code" about={VSCODE_FILE} text={toJson({ servers: { tablinum: { type: 'http', url } } })} />
      <Client
        name={t('Desktop applications that start their servers themselves')}
        about={
          <Trans
            message="They need {command} on this computer and a token from {tokens}."
            command={<code className="font-mono text-xs">tablinum</code>}
            tokens={
              <Link to="/settings/$section" params={{ section: 'tokens' }} className="text-accent underline">
                {t('API tokens')}
              </Link>
            }
          />
        }
        text={toJson({
          mcpServers: {
            tablinum: { command: 'tablinum', args: ['mcp', '--url', url.replace(/\/mcp$/, '')], env: { TABLINUM_TOKEN: 'tbl_…' } },
          },
        })}
      />
      <p className="text-sm text-soft">
        <Trans
          message="Connected applications are listed under {tokens}, where you can revoke them. Changes they suggest are listed under {suggestions}."
          tokens={
            <Link to="/settings/$section" params={{ section: 'tokens' }} className="text-accent underline">
              {t('API tokens')}
            </Link>
          }
          suggestions={t('Suggested changes')}
        />
      </p>
    </>
  )
}

const CURSOR_FILE = '~/.cursor/mcp.json'
const VSCODE_FILE = '.vscode/mcp.json'

const toJson = (value: object): string => JSON.stringify(value, null, 2)

const Client = ({ name, about, text }: { name: string; about?: ReactNode; text: string }) => (
  <section className="grid gap-1">
    <h3 className="text-sm font-medium">{name}</h3>
    {about && <p className="text-sm text-soft">{about}</p>}
    <CopyableCommand label={t('Copy configuration for {name}', { name })} text={text} />
  </section>
)
