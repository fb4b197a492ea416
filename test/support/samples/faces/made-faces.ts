import { dimensions, type FaceTemplate, type TemplateModel } from '../../../../subgraphs/verification/duplicates/face-template.ts'

/** A face that lies so far from the others along an axis of its own. @param shift - how much this picture of it differs */
export function madeFace(person: number, shift = 0, model: TemplateModel = 'dlib'): FaceTemplate {
  const vector = new Float32Array(dimensions)
  vector[person % dimensions] = 1
  vector[(person + 1) % dimensions] = shift
  return { model, vector }
}
