import { openStage, SIZE } from './stage.ts'

await using stage = await openStage({ fresh: true })
console.log(stage.loaded, SIZE)
