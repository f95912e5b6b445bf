import DefaultTheme from 'vitepress/theme-without-fonts'
import { h } from 'vue'
import './style.css'
import VersionSwitch from './version-switch.vue'

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'nav-bar-content-after': () => h(VersionSwitch) }),
}
