import { useSyncExternalStore } from 'react'

/** Color theme. */
export type Theme = 'light' | 'dark' | 'system'

const system = matchMedia('(prefers-color-scheme: dark)')
const watchers = new Set<() => void>()
const tell = () => {
  for (const watcher of watchers) watcher()
}
system.addEventListener('change', tell)

const chosenTheme = (): Theme => (document.documentElement.dataset.theme as Theme | undefined) ?? 'system'

export const chooseTheme = (theme: Theme): void => {
  if (theme === 'system') {
    delete document.documentElement.dataset.theme
    localStorage.removeItem('theme')
  } else {
    document.documentElement.dataset.theme = theme
    localStorage.setItem('theme', theme)
  }
  tell()
}

const isDark = (): boolean => (chosenTheme() === 'system' ? system.matches : chosenTheme() === 'dark')
const watch = (watcher: () => void) => {
  watchers.add(watcher)
  return () => void watchers.delete(watcher)
}

/** Whether the dark theme is active; re-renders canvases when it changes. */
export const useDark = (): boolean => useSyncExternalStore(watch, isDark)
export const useChosenTheme = (): Theme => useSyncExternalStore(watch, chosenTheme)

/** Resolves a color token for canvas: `accent` → `rgb(67, 56, 202)`. */
export const colour = (token: string): string => {
  const probe = document.createElement('span')
  probe.style.color = `var(--color-${token})`
  document.body.append(probe)
  const value = getComputedStyle(probe).color
  probe.remove()
  return value
}
