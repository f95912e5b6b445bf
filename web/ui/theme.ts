import { useSyncExternalStore } from 'react'

/** Color theme. */
export type Theme = 'light' | 'dark' | 'system'

const system = matchMedia('(prefers-color-scheme: dark)')
const listeners = new Set<() => void>()
const notifyListeners = () => {
  for (const listener of listeners) listener()
}
system.addEventListener('change', notifyListeners)

const getTheme = (): Theme => (document.documentElement.dataset.theme as Theme | undefined) ?? 'system'

export const setTheme = (theme: Theme): void => {
  if (theme === 'system') {
    delete document.documentElement.dataset.theme
    localStorage.removeItem('theme')
  } else {
    document.documentElement.dataset.theme = theme
    localStorage.setItem('theme', theme)
  }
  notifyListeners()
}

const isDark = (): boolean => (getTheme() === 'system' ? system.matches : getTheme() === 'dark')
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Whether the dark theme is active; re-renders canvases when it changes. */
export const useDark = (): boolean => useSyncExternalStore(subscribe, isDark)
export const useTheme = (): Theme => useSyncExternalStore(subscribe, getTheme)

/** Resolves a color token for canvas: `accent` → `rgb(67, 56, 202)`. */
export const toCssColor = (token: string): string => {
  const probe = document.createElement('span')
  probe.style.color = `var(--color-${token})`
  document.body.append(probe)
  const value = getComputedStyle(probe).color
  probe.remove()
  return value
}
