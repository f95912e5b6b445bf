import { getProfileTool, listQueriesTool, previewTableTool } from './data.ts'
import { getEntityTool, getOwnersTool } from './entity.ts'
import { getImpactTool, getLineageTool } from './lineage.ts'
import { checkGateTool, listIncidentsTool, listMonitorsTool, runMonitorsTool } from './quality.ts'
import { searchDocumentationTool, searchTool } from './search.ts'
import type { Tool } from './tool.ts'
import { askQuestionTool, suggestChangeTool } from './write.ts'

/** Every tool, in the order in which clients show them. */
export const TOOLS: readonly Tool[] = [
  searchTool,
  searchDocumentationTool,
  getEntityTool,
  getOwnersTool,
  getLineageTool,
  getImpactTool,
  checkGateTool,
  listMonitorsTool,
  listIncidentsTool,
  previewTableTool,
  getProfileTool,
  listQueriesTool,
  runMonitorsTool,
  askQuestionTool,
  suggestChangeTool,
]
