<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
        <name>AdviceText</name>
        <message>
            <source>No GPU to train on. Training uses the processor: fine for small networks and small pictures, slow for large ones.</source>
            <translation>没有可用于训练的 GPU，将用处理器训练：小网络、小图片没问题，大的会慢。</translation>
        </message>
        <message>
            <source>The GPU does not answer: {note}.</source>
            <translation>GPU 没有响应：{note}。</translation>
        </message>
        <message>
            <source>Compute capability {capability} is too old: 7.5 (Turing, 2018) or newer is needed. Training uses the processor.</source>
            <translation>计算能力 {capability} 太旧：需要 7.5（Turing，2018 年）或更新。将用处理器训练。</translation>
        </message>
        <message>
            <source>Driver {driver} supports CUDA {cuda}; 13.0 is needed. Update the driver to 580 or newer.</source>
            <translation>驱动 {driver} 支持 CUDA {cuda}，需要 13.0。请把驱动更新到 580 或更新版本。</translation>
        </message>
        <message>
            <source>Enough for small networks and small batches; bf16 nearly halves what a model needs.</source>
            <translation>够小网络、小批量用；bf16 可使模型所需显存近乎减半。</translation>
        </message>
        <message>
            <source>Enough for usual picture networks; large models want 16 GB and more.</source>
            <translation>够一般图片网络用；大模型需要 16 GB 以上。</translation>
        </message>
        <message>
            <source>Room for large models, but its memory is slow: training cards move 600 GB/s and more.</source>
            <translation>装得下大模型，但显存较慢：训练用的显卡带宽在 600 GB/s 以上。</translation>
        </message>
        <message>
            <source>Enough memory and bandwidth for large models.</source>
            <translation>显存和带宽够大模型用。</translation>
        </message>
        <message>
            <source>{used_bytes} of {memory_bytes} are in use by other programs.</source>
            <translation>{memory_bytes} 显存中有 {used_bytes} 被其他程序占用。</translation>
        </message>
        <message>
            <source>Enough cores to prepare pictures for several GPUs.</source>
            <translation>核心数足够为多块 GPU 准备图片。</translation>
        </message>
        <message>
            <source>Enough cores to keep one GPU supplied; several GPUs want 16 and more.</source>
            <translation>核心数够供应一块 GPU；多块 GPU 需要 16 核以上。</translation>
        </message>
        <message>
            <source>Preparing pictures and training share few cores; a fast GPU may have to wait for data.</source>
            <translation>准备图片和训练共用不多的核心；快的 GPU 可能要等数据。</translation>
        </message>
        <message>
            <source>It computes bf16 in hardware ({set}): precision bf16 trains about twice as fast as fp32 on the processor.</source>
            <translation>硬件支持 bf16({set})：在处理器上，bf16 精度的训练速度约为 fp32 的两倍。</translation>
        </message>
        <message>
            <source>It has no AVX2: training on this processor is very slow.</source>
            <translation>没有 AVX2：用这个处理器训练会很慢。</translation>
        </message>
        <message>
            <source>Enough for large models and data sets.</source>
            <translation>够大模型和大数据集用。</translation>
        </message>
        <message>
            <source>Enough for usual networks; 64 GB is the guidance for large models.</source>
            <translation>够一般网络用；大模型建议 64 GB。</translation>
        </message>
        <message>
            <source>Keep networks and batches small; 64 GB is the guidance for large models.</source>
            <translation>网络和批量要小一些；大模型建议 64 GB。</translation>
        </message>
        <message>
            <source>Only {available_bytes} are free now; close other programs before a large run.</source>
            <translation>现在只剩 {available_bytes}；大的训练前请关闭其他程序。</translation>
        </message>
        <message>
            <source>{mount} is on an SSD: fast enough for data and checkpoints.</source>
            <translation>{mount} 在固态硬盘上：放数据和检查点足够快。</translation>
        </message>
        <message>
            <source>{mount} is on a hard disk: many small pictures load slowly; keep training data on an SSD.</source>
            <translation>{mount} 在机械硬盘上：大量小图片读得慢，训练数据请放在固态硬盘上。</translation>
        </message>
        <message>
            <source>{mount} is on the network: copy data that is used often to a local SSD.</source>
            <translation>{mount} 在网络上：常用的数据请复制到本机固态硬盘。</translation>
        </message>
        <message>
            <source>{mount} is on a disk of unknown kind. An SSD is the guidance.</source>
            <translation>{mount} 所在磁盘类型未知。建议用固态硬盘。</translation>
        </message>
        <message>
            <source>Only {free_bytes} are free on {mount}; checkpoints need room.</source>
            <translation>{mount} 只剩 {free_bytes}；检查点需要空间。</translation>
        </message>
        <message>
            <source>Ready for small networks: training uses the processor.</source>
            <translation>可以训练小网络：将用处理器训练。</translation>
        </message>
        <message>
            <source>Ready for large models.</source>
            <translation>可以训练大模型。</translation>
        </message>
        <message>
            <source>Ready for the usual picture networks.</source>
            <translation>可以训练一般的图片网络。</translation>
        </message>
        <message>
            <source>Ready for small networks and small batches.</source>
            <translation>可以训练小网络、小批量。</translation>
        </message>
</context>
<context>
        <name>ChainSteps</name>
        <message>
            <source>Size and cut</source>
            <translation>尺寸与裁剪</translation>
        </message>
        <message>
            <source>Mirror, turn, bend</source>
            <translation>翻转、旋转、变形</translation>
        </message>
        <message>
            <source>Colour</source>
            <translation>颜色</translation>
        </message>
        <message>
            <source>Blur, sharpen, erase</source>
            <translation>模糊、锐化、擦除</translation>
        </message>
        <message>
            <source>Ready-made mixtures</source>
            <translation>现成组合</translation>
        </message>
        <message>
            <source>Steps inside a step</source>
            <translation>步骤套步骤</translation>
        </message>
        <message>
            <source>At the end</source>
            <translation>放在最后</translation>
        </message>
        <message>
            <source>Others</source>
            <translation>其他</translation>
        </message>
</context>
<context>
        <name>ChartText</name>
        <message>
            <source>%1 s</source>
            <translation>%1 秒</translation>
        </message>
        <message>
            <source>%1 min</source>
            <translation>%1 分钟</translation>
        </message>
        <message>
            <source>%1 h</source>
            <translation>%1 小时</translation>
        </message>
        <message>
            <source>%1 d</source>
            <translation>%1 天</translation>
        </message>
</context>
<context>
        <name>EventText</name>
        <message>
            <source>Learning rate</source>
            <translation>学习率</translation>
        </message>
        <message>
            <source>checkpoint step %1 saved</source>
            <translation>已保存第 %1 步的检查点</translation>
        </message>
        <message>
            <source>checkpoint step %1 saved in %2 s</source>
            <translation>已保存第 %1 步的检查点，用时 %2 秒</translation>
        </message>
        <message>
            <source> (training waited %1 ms)</source>
            <translation>（训练等了 %1 毫秒）</translation>
        </message>
        <message>
            <source>, the best so far</source>
            <translation>，目前最佳</translation>
        </message>
        <message>
            <source>test</source>
            <translation>测试</translation>
        </message>
        <message>
            <source>training</source>
            <translation>训练</translation>
        </message>
        <message>
            <source>validation</source>
            <translation>验证</translation>
        </message>
        <message>
            <source>step %1: %2 loss %3</source>
            <translation>第 %1 步：%2损失 %3</translation>
        </message>
        <message>
            <source>failed: %1</source>
            <translation>失败：%1</translation>
        </message>
        <message>
            <source>finished: %1 steps in %2</source>
            <translation>完成：%1 步，用时 %2</translation>
        </message>
        <message>
            <source>stopped at step %1 after %2</source>
            <translation>第 %1 步停止，用时 %2</translation>
        </message>
        <message>
            <source>started: %1 steps, %2 epochs, %3 parameters</source>
            <translation>开始：%1 步，%2 轮，%3 个参数</translation>
        </message>
        <message>
            <source>Continued from step %1: same data order and optimizer state.</source>
            <translation>从第 %1 步继续：数据顺序与优化器状态不变。</translation>
        </message>
        <message>
            <source>%1 changed from %2 to %3 at step %4</source>
            <translation>第 %4 步把%1从 %2 改为 %3</translation>
        </message>
        <message>
            <source>paused at step %1</source>
            <translation>第 %1 步暂停</translation>
        </message>
        <message>
            <source>saved, and the memory given back, at step %1</source>
            <translation>第 %1 步已保存并释放显存</translation>
        </message>
        <message>
            <source>went on at step %1</source>
            <translation>第 %1 步继续</translation>
        </message>
        <message>
            <source>validation with averaged weights:</source>
            <translation>平均权重的验证：</translation>
        </message>
</context>
<context>
        <name>Findings</name>
        <message>
            <source>There is only one class</source>
            <translation>只有一个类别</translation>
        </message>
        <message>
            <source>A network learns to tell classes apart: it needs at least two.</source>
            <translation>网络学的是区分类别，至少需要两类。</translation>
        </message>
        <message>
            <source>“%1” has %2 times as many pictures as “%3”</source>
            <translation>“%1”的图片是“%3”的 %2 倍</translation>
        </message>
        <message>
            <source>The network will favour the larger class.</source>
            <translation>网络会偏向多的那一类。</translation>
        </message>
        <message>
            <source>The accuracy will be a rough guess.</source>
            <translation>准确率只能是粗略估计。</translation>
        </message>
        <message numerus="yes">
            <source>%Ln picture(s) look alike</source>
            <translation>
                <numerusform>%Ln 张图片看起来一样</numerusform>
            </translation>
        </message>
        <message>
            <source>Resized or saved again. “Keep together: near-duplicates” holds them in one part.</source>
            <translation>缩放过或重新保存过。“放在一起：近似重复”会让它们留在同一部分。</translation>
        </message>
        <message numerus="yes">
            <source>%Ln look-alike(s) in both parts</source>
            <translation>
                <numerusform>%Ln 张近似图片同在两部分</numerusform>
            </translation>
        </message>
        <message>
            <source>The check may look better than it is. “Keep together: near-duplicates” holds them in one part.</source>
            <translation>验证结果可能偏好。“放在一起：近似重复”会让它们留在同一部分。</translation>
        </message>
        <message numerus="yes">
            <source>%Ln copy(ies) in different classes</source>
            <translation>
                <numerusform>%Ln 张相同图片分属不同类别</numerusform>
            </translation>
        </message>
        <message>
            <source>The same picture cannot be both: leave the wrong one out.</source>
            <translation>同一张图片不会既是这类又是那类：请排除放错的。</translation>
        </message>
        <message numerus="yes">
            <source>%Ln file(s) with the wrong ending</source>
            <translation>
                <numerusform>%Ln 个文件扩展名不对</numerusform>
            </translation>
        </message>
        <message>
            <source>They are read by their content.</source>
            <translation>按内容读取。</translation>
        </message>
        <message numerus="yes">
            <source>%Ln very long or tall picture(s)</source>
            <translation>
                <numerusform>%Ln 张图片过长或过高</numerusform>
            </translation>
        </message>
        <message>
            <source>A square crop shows little of them.</source>
            <translation>方形裁剪只能看到一小部分。</translation>
        </message>
        <message numerus="yes">
            <source>%Ln cut short</source>
            <translation>
                <numerusform>%Ln 张不完整</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln empty</source>
            <translation>
                <numerusform>%Ln 个空文件</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln damaged</source>
            <translation>
                <numerusform>%Ln 张损坏</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln picture(s) cannot be read</source>
            <translation>
                <numerusform>%Ln 张图片读不出</numerusform>
            </translation>
        </message>
        <message>
            <source>%1. Training goes on without them.</source>
            <translation>%1。训练时会跳过它们。</translation>
        </message>
        <message>
            <source>, </source>
            <translation>，</translation>
        </message>
        <message numerus="yes">
            <source>%Ln copy(ies) in both parts</source>
            <translation>
                <numerusform>%Ln 张重复图片同在两部分</numerusform>
            </translation>
        </message>
        <message>
            <source>The check would look better than it is.</source>
            <translation>验证结果会显得比实际好。</translation>
        </message>
        <message numerus="yes">
            <source>%Ln exact copy(ies)</source>
            <translation>
                <numerusform>%Ln 张完全相同的副本</numerusform>
            </translation>
        </message>
        <message>
            <source>Pictures that are there twice count twice.</source>
            <translation>出现两次的图片会算两次。</translation>
        </message>
        <message numerus="yes">
            <source>%Ln turned by EXIF</source>
            <translation>
                <numerusform>%Ln 张按 EXIF 转正</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln CMYK</source>
            <translation>
                <numerusform>%Ln 张 CMYK</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln with transparent parts</source>
            <translation>
                <numerusform>%Ln 张有透明部分</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln with 16 bits</source>
            <translation>
                <numerusform>%Ln 张 16 位</numerusform>
            </translation>
        </message>
        <message>
            <source>Handled; nothing to do.</source>
            <translation>已处理，无需操作。</translation>
        </message>
        <message numerus="yes">
            <source>“%1” has %Ln picture(s)</source>
            <translation>
                <numerusform>“%1”只有 %Ln 张图片</numerusform>
            </translation>
        </message>
        <message>
            <source>Nothing to learn from.</source>
            <translation>没有可学的图片。</translation>
        </message>
        <message>
            <source>Too few to learn from: “%1” has %2.</source>
            <translation>太少，学不会：“%1”有 %2 张。</translation>
        </message>
        <message numerus="yes">
            <source>%Ln class(es) with very few pictures</source>
            <translation>
                <numerusform>%Ln 个类别图片太少</numerusform>
            </translation>
        </message>
        <message>
            <source>Too few to learn from: %1, …</source>
            <translation>太少，学不会：%1……</translation>
        </message>
        <message numerus="yes">
            <source>Only %Ln picture(s) held out for checking</source>
            <translation>
                <numerusform>只留出 %Ln 张图片用于验证</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln unreadable</source>
            <translation>
                <numerusform>%Ln 张读不出</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln in both parts</source>
            <translation>
                <numerusform>%Ln 张同在两部分</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln duplicate(s)</source>
            <translation>
                <numerusform>%Ln 张重复</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln look alike</source>
            <translation>
                <numerusform>%Ln 张近似</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln in two classes</source>
            <translation>
                <numerusform>%Ln 张分属两类</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln with the wrong ending</source>
            <translation>
                <numerusform>%Ln 个扩展名不对</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln very long or tall</source>
            <translation>
                <numerusform>%Ln 张过长或过高</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln other(s)</source>
            <translation>
                <numerusform>%Ln 张其他</numerusform>
            </translation>
        </message>
        <message>
            <source>Cut short: cannot be read to its end</source>
            <translation>不完整：读不到结尾</translation>
        </message>
        <message>
            <source>An empty file</source>
            <translation>空文件</translation>
        </message>
        <message>
            <source>Its ending does not fit its content</source>
            <translation>扩展名与内容不符</translation>
        </message>
        <message>
            <source>There is an exact copy of it</source>
            <translation>有一张与它完全相同</translation>
        </message>
        <message>
            <source>There is a copy of it in another part</source>
            <translation>另一部分里有它的副本</translation>
        </message>
        <message>
            <source>Another picture looks the same</source>
            <translation>另一张图片看起来一样</translation>
        </message>
        <message>
            <source>There is a copy of it in another class</source>
            <translation>另一类里有它的副本</translation>
        </message>
        <message>
            <source>Very long or tall</source>
            <translation>过长或过高</translation>
        </message>
        <message>
            <source>CMYK: converted to RGB</source>
            <translation>CMYK：已转为 RGB</translation>
        </message>
        <message>
            <source>16 bits: brought to 8</source>
            <translation>16 位：已转为 8 位</translation>
        </message>
        <message>
            <source>Has transparent parts: put on the background</source>
            <translation>有透明部分：已铺上背景色</translation>
        </message>
        <message>
            <source>Turned as its EXIF says</source>
            <translation>已按 EXIF 转正</translation>
        </message>
        <message numerus="yes">
            <source>Nothing wrong with %Ln picture(s). No file was changed.</source>
            <translation>
                <numerusform>%Ln 张图片都没有问题。没有改动任何文件。</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln of %1 photos need(s) a look:</source>
            <translation>
                <numerusform>%1 张照片中有 %Ln 张需要看一下：</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln of %1 pictures need(s) a look:</source>
            <translation>
                <numerusform>%1 张图片中有 %Ln 张需要看一下：</numerusform>
            </translation>
        </message>
        <message>
            <source>%1 %2. No file was changed.</source>
            <translation>%1%2。没有改动任何文件。</translation>
        </message>
</context>
<context>
        <name>Messages</name>
        <message>
            <source>Must be greater than %1 and at most %2.</source>
            <translation>须大于 %1，不超过 %2。</translation>
        </message>
        <message>
            <source>Must be from %1 to %2.</source>
            <translation>须在 %1 到 %2 之间。</translation>
        </message>
        <message>
            <source>Must be greater than %1.</source>
            <translation>须大于 %1。</translation>
        </message>
        <message>
            <source>Must be at least %1.</source>
            <translation>须不小于 %1。</translation>
        </message>
        <message>
            <source>Must be at most %1.</source>
            <translation>须不大于 %1。</translation>
        </message>
        <message>
            <source>Must be a whole number.</source>
            <translation>须为整数。</translation>
        </message>
        <message>
            <source>Must be a number.</source>
            <translation>须为数字。</translation>
        </message>
        <message numerus="yes">
            <source>Must have %n value(s).</source>
            <translation>
                <numerusform>须有 %n 个值。</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Must have at least %n value(s).</source>
            <translation>
                <numerusform>至少要有 %n 个值。</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Must have at most %n value(s).</source>
            <translation>
                <numerusform>最多 %n 个值。</numerusform>
            </translation>
        </message>
        <message>
            <source>Each: %1</source>
            <translation>每个：%1</translation>
        </message>
        <message>
            <source>Is needed.</source>
            <translation>必填。</translation>
        </message>
        <message>
            <source>Leave empty for none.</source>
            <translation>留空表示不用。</translation>
        </message>
</context>
<context>
        <name>ModelPage</name>
        <message>
            <source>Small, for first experiments</source>
            <translation>小网络，用于初步试验</translation>
        </message>
        <message>
            <source>Residual networks: dependable</source>
            <translation>残差网络：可靠</translation>
        </message>
        <message>
            <source>Light: for slow computers and phones</source>
            <translation>轻量：适合慢的电脑和手机</translation>
        </message>
        <message>
            <source>Modern convolutions: accurate</source>
            <translation>现代卷积网络：准确</translation>
        </message>
        <message>
            <source>Transformers: for much data or published weights</source>
            <translation>Transformer：适合大量数据或已发布的权重</translation>
        </message>
        <message>
            <source>Classics: for comparison</source>
            <translation>经典网络：用于比较</translation>
        </message>
        <message>
            <source>For text</source>
            <translation>用于文本</translation>
        </message>
        <message>
            <source>Your own</source>
            <translation>自己的网络</translation>
        </message>
</context>
<context>
        <name>RecipeKeys</name>
        <message>
            <source>on</source>
            <translation>开</translation>
        </message>
        <message>
            <source>off</source>
            <translation>关</translation>
        </message>
</context>
<context>
        <name>RunText</name>
        <message>
            <source>%1 s</source>
            <translation>%1 秒</translation>
        </message>
        <message>
            <source>%1 min %2 s</source>
            <translation>%1 分 %2 秒</translation>
        </message>
        <message>
            <source>%1 min</source>
            <translation>%1 分钟</translation>
        </message>
        <message>
            <source>%1 h %2 min</source>
            <translation>%1 小时 %2 分钟</translation>
        </message>
        <message>
            <source>%1 d %2 h</source>
            <translation>%1 天 %2 小时</translation>
        </message>
        <message>
            <source>MMM d</source>
            <translation>M月d日</translation>
        </message>
        <message>
            <source>MMM d, yyyy</source>
            <translation>yyyy年M月d日</translation>
        </message>
        <message>
            <source>Accuracy</source>
            <translation>准确率</translation>
        </message>
        <message>
            <source>Loss</source>
            <translation>损失</translation>
        </message>
        <message>
            <source>not finite</source>
            <translation>非有限值</translation>
        </message>
        <message>
            <source>CPU</source>
            <translation>CPU</translation>
        </message>
        <message>
            <source>GPU %1</source>
            <translation>GPU %1</translation>
        </message>
</context>
<context>
        <name>SituationText</name>
        <message>
            <source>No checkpoint had been saved.</source>
            <translation>还没有保存过检查点。</translation>
        </message>
        <message>
            <source>Last good checkpoint: step %1.</source>
            <translation>完好检查点：第 %1 步。</translation>
        </message>
        <message>
            <source>Best: %1 of %2 right, %3</source>
            <translation>最佳：%2 张对 %1 张，%3</translation>
        </message>
        <message>
            <source>(95 % range %1–%2).</source>
            <translation>（95 % 区间 %1–%2）。</translation>
        </message>
        <message>
            <source>Best %1: %2 in epoch %3.</source>
            <translation>最佳%1：%2，第 %3 轮。</translation>
        </message>
        <message>
            <source>Failed</source>
            <translation>失败</translation>
        </message>
        <message>
            <source>Resume</source>
            <translation>继续</translation>
        </message>
        <message>
            <source>Ended unexpectedly</source>
            <translation>意外结束</translation>
        </message>
        <message>
            <source>The training program ended at step %1 without a word.</source>
            <translation>训练程序在第 %1 步无声结束。</translation>
        </message>
        <message>
            <source>Somebody ended the process, the machine ran out of memory or went down. Nothing that was saved is lost: Resume goes on from the newest whole checkpoint, with the same data order and optimizer state.</source>
            <translation>进程被人结束，或机器内存耗尽、断电。已保存的都没有丢：“继续”会从最新的完好检查点接着训练，数据顺序与优化器状态不变。</translation>
        </message>
        <message>
            <source>Broken</source>
            <translation>出错</translation>
        </message>
        <message>
            <source>Broke at step %1: the loss is no longer finite.</source>
            <translation>第 %1 步出错：损失不再是有限数值。</translation>
        </message>
        <message>
            <source>Continue from %1, lr ÷ 10</source>
            <translation>从 %1 步继续，学习率 ÷10</translation>
        </message>
        <message>
            <source>Most often the learning rate is too high for this model or precision.</source>
            <translation>多半是学习率对这个模型或精度来说太高。</translation>
        </message>
        <message>
            <source>Paused</source>
            <translation>已暂停</translation>
        </message>
        <message>
            <source>Paused at step %1; saved, and the memory given back.</source>
            <translation>已在第 %1 步暂停；已保存并释放显存。</translation>
        </message>
        <message>
            <source>Paused at step %1; still holding %2.</source>
            <translation>已在第 %1 步暂停，仍占用 %2。</translation>
        </message>
        <message>
            <source>Paused at step %1.</source>
            <translation>已在第 %1 步暂停。</translation>
        </message>
        <message>
            <source>Save and free GPU</source>
            <translation>保存并释放</translation>
        </message>
        <message>
            <source>Save and free the memory</source>
            <translation>保存并释放内存</translation>
        </message>
        <message>
            <source>Queued</source>
            <translation>排队中</translation>
        </message>
        <message>
            <source>Waits for its turn.</source>
            <translation>等待轮到它。</translation>
        </message>
        <message>
            <source>Finished</source>
            <translation>已完成</translation>
        </message>
        <message>
            <source>Done in %1.</source>
            <translation>用时 %1。</translation>
        </message>
        <message>
            <source>Stopped</source>
            <translation>已停止</translation>
        </message>
        <message>
            <source>Stopped at step %1.</source>
            <translation>已在第 %1 步停止。</translation>
        </message>
        <message>
            <source>Starting</source>
            <translation>正在启动</translation>
        </message>
        <message>
            <source>Reading the first pictures. Closing this window won&apos;t stop training.</source>
            <translation>正在读取第一批图片。关闭窗口不会中断训练。</translation>
        </message>
        <message>
            <source>Train longer…</source>
            <translation>再训练一段…</translation>
        </message>
</context>
<context>
        <name>StartFailure</name>
        <message>
            <source>The file named here holds all that it wrote.</source>
            <translation>这里所指的文件保存了它的全部输出。</translation>
        </message>
        <message>
            <source>The training program ended without a message.</source>
            <translation>训练程序结束了，没有给出任何信息。</translation>
        </message>
</context>
<context>
        <name>VerdictText</name>
        <message>
            <source>Learning rate ÷ 10</source>
            <translation>学习率 ÷10</translation>
        </message>
        <message>
            <source>Silent</source>
            <translation>没有消息</translation>
        </message>
        <message>
            <source>Nothing has been heard from the training program for %1.</source>
            <translation>已有 %1 没有收到训练程序的消息。</translation>
        </message>
        <message>
            <source>Open log</source>
            <translation>打开日志</translation>
        </message>
        <message>
            <source>A training program tells once a second how its devices are. When that stops for 30 s it is suspended, or the disk of the run does not take its lines.</source>
            <translation>训练程序每秒报告一次设备状况。停了 30 秒，说明它被挂起，或训练所在的磁盘写不进去。</translation>
        </message>
        <message>
            <source>Stalled</source>
            <translation>停滞</translation>
        </message>
        <message>
            <source>No update for %1.</source>
            <translation>已有 %1 没有更新。</translation>
        </message>
        <message>
            <source>The program lives, but has done no update for more than a minute and 20 times its usual. The data&apos;s disk or network may hang.</source>
            <translation>程序还在，但超过一分钟、超过平常 20 倍的时间没有更新。数据所在的磁盘或网络可能卡住了。</translation>
        </message>
        <message>
            <source>Broken</source>
            <translation>出错</translation>
        </message>
        <message>
            <source>Broke at step %1: the loss is no longer finite.</source>
            <translation>第 %1 步出错：损失不再是有限数值。</translation>
        </message>
        <message>
            <source>Stop</source>
            <translation>停止</translation>
        </message>
        <message>
            <source>Most often the learning rate is too high for this model or precision.</source>
            <translation>多半是学习率对这个模型或精度来说太高。</translation>
        </message>
        <message>
            <source>Diverging</source>
            <translation>发散</translation>
        </message>
        <message>
            <source>The training loss has risen from %1 to %2.</source>
            <translation>训练损失从 %1 升到了 %2。</translation>
        </message>
        <message>
            <source>The smoothed loss has been far above its lowest value for 50 updates, more than its usual noise explains. A lower learning rate usually helps.</source>
            <translation>平滑后的损失已连续 50 步远高于最低值，超出了平常的波动。降低学习率通常有用。</translation>
        </message>
        <message>
            <source>Not learning</source>
            <translation>没有学到</translation>
        </message>
        <message>
            <source>After %1 updates the loss is still %2; it began at %3.</source>
            <translation>%1 步之后损失仍是 %2，开始时是 %3。</translation>
        </message>
        <message>
            <source>Show learning rate</source>
            <translation>查看学习率</translation>
        </message>
        <message>
            <source>The loss has hardly fallen, and the answers are no better than always naming the largest class. The learning rate may be far too low or too high, or pictures and labels do not belong together.</source>
            <translation>损失几乎没有下降，答案也不比总猜最大的一类好。可能学习率太低或太高，或者图片和标签对不上。</translation>
        </message>
        <message>
            <source>Overfitting</source>
            <translation>过拟合</translation>
        </message>
        <message>
            <source>Since epoch %1 it is memorising: training improves, validation worsens. Epoch %1 is kept.</source>
            <translation>第 %1 轮起开始死记：训练变好，验证变差。已保留第 %1 轮。</translation>
        </message>
        <message>
            <source>The validation loss was lowest in epoch %1 and has risen since, while the training loss went on falling. More pictures or stronger augmentation help; more epochs do not.</source>
            <translation>验证损失在第 %1 轮最低，此后上升，而训练损失继续下降。更多图片或更强的增强有用，更多轮数没有用。</translation>
        </message>
        <message>
            <source>Levelled off</source>
            <translation>不再进步</translation>
        </message>
        <message>
            <source>Nothing gained since epoch %1 (best %2).</source>
            <translation>第 %1 轮以来没有进步（最佳 %2）。</translation>
        </message>
        <message>
            <source>The best result has moved by less than chance would explain, and the schedule has no drop of the learning rate ahead.</source>
            <translation>最佳结果的变化小于偶然波动，而学习率后面也不再下降。</translation>
        </message>
        <message>
            <source>It waits longer for data than before.</source>
            <translation>等数据的时间比以前长。</translation>
        </message>
        <message>
            <source>The devices take longer to exchange gradients than before.</source>
            <translation>设备交换梯度的时间比以前长。</translation>
        </message>
        <message>
            <source>The device has become hot and runs slower.</source>
            <translation>设备发热，降了速。</translation>
        </message>
        <message>
            <source>The computing itself has become slower: another program may be using the machine.</source>
            <translation>计算本身变慢了：可能有别的程序在用这台机器。</translation>
        </message>
        <message>
            <source>Show speed</source>
            <translation>查看速度</translation>
        </message>
        <message>
            <source>Waiting for data</source>
            <translation>等数据</translation>
        </message>
        <message>
            <source>Each step waits %1 for its pictures. More loader threads could make it up to %2 × faster.</source>
            <translation>每步有 %1 在等图片。增加读取线程最多可快 %2 倍。</translation>
        </message>
        <message>
            <source>Reading and preparing pictures is slower than training on them. More loader threads (data.workers), smaller files or a faster disk help; the next run can use them.</source>
            <translation>读取和准备图片比训练慢。更多读取线程（data.workers）、更小的文件或更快的磁盘有用；下次训练可以采用。</translation>
        </message>
        <message>
            <source>GPU idle</source>
            <translation>GPU 空闲</translation>
        </message>
        <message>
            <source>The GPU works only %1 of the time.</source>
            <translation>GPU 只有 %1 的时间在工作。</translation>
        </message>
        <message>
            <source>The data arrives in time, but the steps are too small to keep the device busy. More pictures per update usually help.</source>
            <translation>数据来得及，但每步太小，设备忙不起来。每次更新多放些图片通常有用。</translation>
        </message>
        <message>
            <source>Slowed</source>
            <translation>变慢</translation>
        </message>
        <message>
            <source>%1 of its own best speed for the last minute.</source>
            <translation>最近一分钟只有自身最快速度的 %1。</translation>
        </message>
        <message>
            <source>Another program may be using the machine, or the device has become hot and runs slower.</source>
            <translation>可能有别的程序在用这台机器，或设备发热降了速。</translation>
        </message>
        <message>
            <source>Uneven</source>
            <translation>不均</translation>
        </message>
        <message>
            <source>The devices differ by %1; all wait for the slowest.</source>
            <translation>各设备相差 %1，都在等最慢的。</translation>
        </message>
        <message>
            <source>Every update ends when the slowest device has ended its part.</source>
            <translation>每步要等最慢的设备做完才结束。</translation>
        </message>
        <message>
            <source> Best %1: %2.</source>
            <translation> 最佳%1：%2。</translation>
        </message>
        <message>
            <source>Learning well</source>
            <translation>学得很好</translation>
        </message>
        <message>
            <source>The loss has fallen from %1 to %2.</source>
            <translation>损失从 %1 降到了 %2。</translation>
        </message>
        <message>
            <source>Steady</source>
            <translation>平稳</translation>
        </message>
        <message>
            <source>Loss %1 after %2 updates.</source>
            <translation>%2 步后损失为 %1。</translation>
        </message>
        <message>
            <source>Too early</source>
            <translation>还太早</translation>
        </message>
        <message>
            <source>%1 updates done, loss %2. A verdict needs a little more.</source>
            <translation>已做 %1 步，损失 %2。再多一些才能判断。</translation>
        </message>
</context>
<context>
        <name>catalogue</name>
        <message>
            <source>&quot;balanced&quot; weighs rare classes more, as samples / (classes × samples of the class); or a number for each class.</source>
            <translation>“balanced”给少见的类别更大权重：样本数 /(类别数 × 该类样本数)；也可以给每个类别一个数。</translation>
        </message>
        <message>
            <source>&quot;cpu&quot; or &quot;cuda:0&quot;</source>
            <translation>&quot;cpu&quot; 或 &quot;cuda:0&quot;</translation>
        </message>
        <message>
            <source>0 softens, 1 changes nothing, 2 sharpens.</source>
            <translation>0 柔化，1 不变，2 锐化。</translation>
        </message>
        <message>
            <source>0.4 multiplies by 0.6 to 1.4; or from and to. Empty: unchanged.</source>
            <translation>0.4 表示乘以 0.6 至 1.4；也可写起止值。留空：不变。</translation>
        </message>
        <message>
            <source>0: none; 1: corners may move to the middle.</source>
            <translation>0：没有；1：角可移到中间。</translation>
        </message>
        <message>
            <source>1 falls in a straight line; 2 falls faster at first.</source>
            <translation>1 为直线；2 开始时降得更快。</translation>
        </message>
        <message>
            <source>101 layers, 45 million parameters; somewhat more accurate than ResNet-50, for twice the work.</source>
            <translation>101 层，4500 万参数；比 ResNet-50 稍准，计算量翻倍。</translation>
        </message>
        <message>
            <source>11 layers, 133 million parameters, most of them at the end; a classic, for comparisons.</source>
            <translation>11 层，1.33 亿参数，大多在末端；经典网络，用于比较。</translation>
        </message>
        <message>
            <source>12 million parameters; for pictures of about 300 pixels and a GPU.</source>
            <translation>1200 万参数；适合约 300 像素的图片和 GPU。</translation>
        </message>
        <message>
            <source>152 layers, 60 million parameters; for large data sets and a large GPU.</source>
            <translation>152 层，6000 万参数；适合大数据集和大显存 GPU。</translation>
        </message>
        <message>
            <source>16 layers, 138 million parameters; a classic for comparisons and as a base of other networks. Slow.</source>
            <translation>16 层，1.38 亿参数；经典网络，用于比较或作为其他网络的基础。较慢。</translation>
        </message>
        <message>
            <source>18 layers with residual connections; a sound first choice for photos.</source>
            <translation>18 层残差网络；处理照片的稳妥首选。</translation>
        </message>
        <message>
            <source>1: the optimizer&apos;s state; 3: parameters and gradients too, gathered block by block.</source>
            <translation>1：优化器状态；3：参数和梯度也切分，逐块收集。</translation>
        </message>
        <message>
            <source>2.5 million parameters and the least work of all for photos; for a CPU and small devices.</source>
            <translation>250 万参数，是照片网络中计算量最小的；适合 CPU 和小设备。</translation>
        </message>
        <message>
            <source>22 million parameters; as ViT tiny, for more pictures and a GPU.</source>
            <translation>2200 万参数；同 ViT tiny，适合更多图片和 GPU。</translation>
        </message>
        <message>
            <source>28 million parameters; attention within windows that move from layer to layer, for pictures of any size. Best with published weights. For a GPU.</source>
            <translation>2800 万参数；在逐层移动的窗口内做注意力，图片尺寸不限。配合公开权重最好。适合 GPU。</translation>
        </message>
        <message>
            <source>29 million parameters; the most accurate here for the work of a ResNet-50, best with published weights. For a GPU.</source>
            <translation>2900 万参数；以 ResNet-50 的计算量达到这里最高的准确率，配合公开权重最好。适合 GPU。</translation>
        </message>
        <message>
            <source>3.5 million parameters; for telephones and slow computers.</source>
            <translation>350 万参数；适合手机和慢的电脑。</translation>
        </message>
        <message>
            <source>34 layers with residual connections; more accurate than ResNet-18 and about twice the work.</source>
            <translation>34 层残差网络；比 ResNet-18 更准，计算量约为两倍。</translation>
        </message>
        <message>
            <source>5.3 million parameters; very accurate for its size, for pictures of about 224 pixels.</source>
            <translation>530 万参数；就其大小而言很准，适合约 224 像素的图片。</translation>
        </message>
        <message>
            <source>5.5 million parameters; more accurate than MobileNet V2 for less work.</source>
            <translation>550 万参数；比 MobileNet V2 更准，计算量更小。</translation>
        </message>
        <message>
            <source>5.7 million parameters; attention between patches of 16 × 16 pixels, so picture sizes are multiples of 16. Needs many pictures and patience; AdamW with warm-up.</source>
            <translation>570 万参数；在 16 × 16 像素的小块之间做注意力，因此图片边长须为 16 的倍数。需要很多图片和耐心；用 AdamW 加预热。</translation>
        </message>
        <message>
            <source>50 layers, 26 million parameters; the usual yardstick, for a GPU.</source>
            <translation>50 层，2600 万参数；通常的基准，适合 GPU。</translation>
        </message>
        <message>
            <source>50 million parameters; more accurate than ConvNeXt tiny for twice the work. For a large GPU.</source>
            <translation>5000 万参数；比 ConvNeXt tiny 更准，计算量翻倍。适合大显存 GPU。</translation>
        </message>
        <message>
            <source>7.8 million parameters; deeper than B0, for pictures of about 240 pixels.</source>
            <translation>780 万参数；比 B0 更深，适合约 240 像素的图片。</translation>
        </message>
        <message>
            <source>86 million parameters; torchvision&apos;s vit_b_16. Best with published weights, at 224 pixels, for a large GPU.</source>
            <translation>8600 万参数；即 torchvision 的 vit_b_16。配合公开权重、224 像素最好，适合大显存 GPU。</translation>
        </message>
        <message>
            <source>9.1 million parameters; wider and deeper, for pictures of about 288 pixels.</source>
            <translation>910 万参数；更宽更深，适合约 288 像素的图片。</translation>
        </message>
        <message>
            <source>A .tar file with one folder per class in it, read in place; a .tar.gz, .tar.xz, … is unpacked into memory.</source>
            <translation>每类一个文件夹的 .tar 文件，直接读取；.tar.gz、.tar.xz 等会解压到内存。</translation>
        </message>
        <message>
            <source>A .tar file, or a folder of them, with 1.jpg and its label in 1.cls or 1.json side by side.</source>
            <translation>一个 .tar 文件或一个放 .tar 的文件夹，1.jpg 与其标签 1.cls 或 1.json 并列。</translation>
        </message>
        <message>
            <source>A .zip file with one folder per class in it, read in place.</source>
            <translation>每类一个文件夹的 .zip 文件，直接读取。</translation>
        </message>
        <message>
            <source>A CSV file with a column of picture files and one or more of labels or numbers.</source>
            <translation>CSV 文件：一列图片文件，以及一列或多列标签或数值。</translation>
        </message>
        <message>
            <source>A CSV file: one row a sample, columns of numbers and categories, one of them to be predicted.</source>
            <translation>CSV 文件：每行一个样本，数值列和类别列，其中一列要预测。</translation>
        </message>
        <message>
            <source>A block of the network by name: &quot;layer3.0&quot;.</source>
            <translation>网络中块的名称，例如 &quot;layer3.0&quot;。</translation>
        </message>
        <message>
            <source>A difference</source>
            <translation>差值</translation>
        </message>
        <message>
            <source>A drop by less than this is left out.</source>
            <translation>小于它的下降会略去。</translation>
        </message>
        <message>
            <source>A factor: 1 keeps all cycles alike, 2 doubles each.</source>
            <translation>倍数：1 各周期相同，2 每次加倍。</translation>
        </message>
        <message>
            <source>A few random operations of one strength.</source>
            <translation>几种随机操作，强度相同。</translation>
        </message>
        <message>
            <source>A language model of GPT-2&apos;s shape, trained on text from scratch: it predicts each next token.</source>
            <translation>GPT-2 结构的语言模型，用文本从头训练：预测每个下一个词元。</translation>
        </message>
        <message>
            <source>A level from 0 to 255, one per channel, or noise.</source>
            <translation>0 至 255 的色阶，每通道一个，或噪声。</translation>
        </message>
        <message>
            <source>A network of your own, written in the recipe as a list of layers.</source>
            <translation>自己的网络，以层的列表写在配方里。</translation>
        </message>
        <message>
            <source>A network scripted in Python, with its weights; its code runs here, so take it from people you trust.</source>
            <translation>用 Python 脚本化的网络，连同其权重；它的代码会在这里运行，请只用可信来源的文件。</translation>
        </message>
        <message>
            <source>A number</source>
            <translation>一个数值</translation>
        </message>
        <message>
            <source>A picture may have several labels, or none.</source>
            <translation>一张图片可有多个标签，也可没有。</translation>
        </message>
        <message>
            <source>A regular expression; its first group, else the whole match, names the group: ^([^_]+)_</source>
            <translation>正则表达式；第一个括号（没有则整个匹配）作为组名：^([^_]+)_</translation>
        </message>
        <message>
            <source>A safetensors or PyTorch file with the architecture&apos;s parameter names, or the name of published weights; empty: from scratch.</source>
            <translation>参数名与该架构一致的 safetensors 或 PyTorch 文件，或已发布权重的名称；留空：从头训练。</translation>
        </message>
        <message>
            <source>A share of the best value</source>
            <translation>最佳值的比例</translation>
        </message>
        <message>
            <source>A share of the learning rate.</source>
            <translation>占学习率的比例。</translation>
        </message>
        <message>
            <source>A share of the pictures (the same of each class), or a folder of its own. Automatic: the data&apos;s own validation part, else 0.1.</source>
            <translation>图片中的一部分（每类比例相同），或单独的文件夹。自动：用数据自带的验证部分，否则取 0.1。</translation>
        </message>
        <message>
            <source>A share, or a folder of its own, that is opened only when you evaluate on it. Empty: none.</source>
            <translation>一部分图片或单独的文件夹，只有在你用它评估时才打开。留空：没有。</translation>
        </message>
        <message>
            <source>A text file, or a folder of .txt files, in UTF-8: a language model learns to continue it. Held out for checking is the end.</source>
            <translation>一个 UTF-8 文本文件，或装有 .txt 文件的文件夹：语言模型学习续写。留出末尾用于验证。</translation>
        </message>
        <message>
            <source>AMSGrad</source>
            <translation>AMSGrad</translation>
        </message>
        <message>
            <source>AUROC</source>
            <translation>AUROC</translation>
        </message>
        <message>
            <source>Accuracy</source>
            <translation>准确率</translation>
        </message>
        <message>
            <source>Adafactor</source>
            <translation>Adafactor</translation>
        </message>
        <message>
            <source>Adagrad</source>
            <translation>Adagrad</translation>
        </message>
        <message>
            <source>Adam</source>
            <translation>Adam</translation>
        </message>
        <message>
            <source>Adam that looks ahead along the momentum.</source>
            <translation>沿动量向前看的 Adam。</translation>
        </message>
        <message>
            <source>Adam with a warm-up of its own, until its averages can be trusted.</source>
            <translation>自带预热的 Adam，直到其平均值可信。</translation>
        </message>
        <message>
            <source>Adam with decoupled weight decay; a sound default.</source>
            <translation>权重衰减解耦的 Adam；稳妥的默认选择。</translation>
        </message>
        <message>
            <source>AdamW</source>
            <translation>AdamW</translation>
        </message>
        <message>
            <source>AdamW&apos;s averaging of the gradient and of its square.</source>
            <translation>AdamW 对梯度及其平方的平均系数。</translation>
        </message>
        <message>
            <source>Adapts the step to each weight; works with little tuning.</source>
            <translation>为每个权重调整步长；几乎不用调参。</translation>
        </message>
        <message>
            <source>Added to the denominator, for numerical stability.</source>
            <translation>加在分母上，保证数值稳定。</translation>
        </message>
        <message>
            <source>Adds a border to a picture that is smaller than the window, instead of refusing it.</source>
            <translation>图片比窗口小时加边框，而不是拒绝。</translation>
        </message>
        <message>
            <source>All alike</source>
            <translation>一视同仁</translation>
        </message>
        <message>
            <source>All forward, then all backward</source>
            <translation>全部前向，再全部反向</translation>
        </message>
        <message>
            <source>All parameters</source>
            <translation>所有参数</translation>
        </message>
        <message>
            <source>Alpha</source>
            <translation>Alpha</translation>
        </message>
        <message>
            <source>Always</source>
            <translation>总是</translation>
        </message>
        <message>
            <source>Angle</source>
            <translation>角度</translation>
        </message>
        <message>
            <source>Any number of labels</source>
            <translation>任意多个标签</translation>
        </message>
        <message>
            <source>Applies its steps together, or none of them.</source>
            <translation>其中的步骤要么都用，要么都不用。</translation>
        </message>
        <message>
            <source>Applies one of its steps, drawn at random.</source>
            <translation>随机抽取其中一步应用。</translation>
        </message>
        <message>
            <source>Apply one of</source>
            <translation>应用其一</translation>
        </message>
        <message>
            <source>Apply sometimes</source>
            <translation>有时应用</translation>
        </message>
        <message>
            <source>As first published.</source>
            <translation>最初发表的方式。</translation>
        </message>
        <message>
            <source>As large as AdamW&apos;s steps</source>
            <translation>与 AdamW 的步长相当</translation>
        </message>
        <message>
            <source>As they are</source>
            <translation>原样</translation>
        </message>
        <message>
            <source>As torch.optim does it.</source>
            <translation>与 torch.optim 一致。</translation>
        </message>
        <message>
            <source>Aspect ratio</source>
            <translation>宽高比</translation>
        </message>
        <message>
            <source>At the peak of the rate.</source>
            <translation>在学习率峰值处。</translation>
        </message>
        <message>
            <source>At the start and at the end.</source>
            <translation>在开始和结束时。</translation>
        </message>
        <message>
            <source>Attention dropout</source>
            <translation>注意力 dropout</translation>
        </message>
        <message>
            <source>Augmentation</source>
            <translation>数据增强</translation>
        </message>
        <message>
            <source>AutoAugment</source>
            <translation>AutoAugment</translation>
        </message>
        <message>
            <source>Automatic</source>
            <translation>自动</translation>
        </message>
        <message>
            <source>Automatic: texts and whole numbers are classes, other numbers are numbers; with a separator, labels.</source>
            <translation>自动：文字和整数为类别，其他数字为数值；有分隔符则为多标签。</translation>
        </message>
        <message>
            <source>Automatic: texts are classes, and so are whole numbers of at most 20 different values; others are numbers.</source>
            <translation>自动：文字为类别，不同值不超过 20 个的整数也是；其他为数值。</translation>
        </message>
        <message>
            <source>Automatic: unless it holds a number or a picture&apos;s name. Columns without names are called &quot;column 1&quot;, &quot;column 2&quot;, ….</source>
            <translation>自动：除非首行含数字或图片文件名。没有列名时称为 &quot;column 1&quot;、&quot;column 2&quot;……。</translation>
        </message>
        <message>
            <source>Average of the weights</source>
            <translation>权重的平均</translation>
        </message>
        <message>
            <source>Average precision</source>
            <translation>平均精确率</translation>
        </message>
        <message>
            <source>Averaging</source>
            <translation>平均</translation>
        </message>
        <message>
            <source>Averaging for the step, and of what is remembered.</source>
            <translation>用于本步的平均，和所记住的平均。</translation>
        </message>
        <message>
            <source>Averaging of the gradient and of its square.</source>
            <translation>梯度及其平方的平均系数。</translation>
        </message>
        <message>
            <source>Averaging of the squared gradient.</source>
            <translation>梯度平方的平均系数。</translation>
        </message>
        <message>
            <source>Back-off</source>
            <translation>回退</translation>
        </message>
        <message>
            <source>Background</source>
            <translation>背景色</translation>
        </message>
        <message>
            <source>Balanced</source>
            <translation>均衡</translation>
        </message>
        <message>
            <source>Batch norm</source>
            <translation>批归一化</translation>
        </message>
        <message>
            <source>Batch norm over all devices</source>
            <translation>批归一化跨所有设备</translation>
        </message>
        <message>
            <source>Best by</source>
            <translation>最佳依据</translation>
        </message>
        <message>
            <source>Betas</source>
            <translation>Beta 系数</translation>
        </message>
        <message>
            <source>Between labels</source>
            <translation>标签的分隔</translation>
        </message>
        <message>
            <source>Between values</source>
            <translation>值的分隔</translation>
        </message>
        <message>
            <source>Biases and the scales and shifts of norms are usually left alone.</source>
            <translation>偏置以及归一化层的缩放和平移通常不动。</translation>
        </message>
        <message>
            <source>Bicubic</source>
            <translation>双三次</translation>
        </message>
        <message>
            <source>Bilinear</source>
            <translation>双线性</translation>
        </message>
        <message>
            <source>Binary cross-entropy</source>
            <translation>二元交叉熵</translation>
        </message>
        <message>
            <source>Bits</source>
            <translation>位数</translation>
        </message>
        <message>
            <source>Blends each picture of an update, and its label, with the one before it.</source>
            <translation>把一次更新中的每张图片及其标签与前一张混合。</translation>
        </message>
        <message>
            <source>Block</source>
            <translation>块</translation>
        </message>
        <message>
            <source>Blocks of attention; more for more text.</source>
            <translation>注意力块的数量；文本越多用得越多。</translation>
        </message>
        <message>
            <source>Blurs by a random amount.</source>
            <translation>随机程度的模糊。</translation>
        </message>
        <message>
            <source>Border</source>
            <translation>边框</translation>
        </message>
        <message>
            <source>Border added before cutting: on every side; left and right, top and bottom; or left, top, right, bottom.</source>
            <translation>裁剪前加的边框：四边相同；左右、上下；或左、上、右、下。</translation>
        </message>
        <message>
            <source>Brightness</source>
            <translation>亮度</translation>
        </message>
        <message>
            <source>Brings the shorter side (or height and width) to a size, smoothly.</source>
            <translation>把短边（或高和宽）平滑缩放到指定尺寸。</translation>
        </message>
        <message>
            <source>By height over width</source>
            <translation>按高宽比</translation>
        </message>
        <message>
            <source>By the camera&apos;s clock (EXIF).</source>
            <translation>按相机时钟（EXIF）。</translation>
        </message>
        <message>
            <source>CIFAR-10</source>
            <translation>CIFAR-10</translation>
        </message>
        <message>
            <source>CIFAR-100</source>
            <translation>CIFAR-100</translation>
        </message>
        <message>
            <source>CPU threads</source>
            <translation>CPU 线程</translation>
        </message>
        <message>
            <source>Categories</source>
            <translation>类别列</translation>
        </message>
        <message>
            <source>Centre</source>
            <translation>中心</translation>
        </message>
        <message>
            <source>Centre crop</source>
            <translation>中心裁剪</translation>
        </message>
        <message>
            <source>Centred</source>
            <translation>中心化</translation>
        </message>
        <message>
            <source>Changes brightness, contrast, saturation and hue at random, in random order.</source>
            <translation>随机改变亮度、对比度、饱和度和色相，顺序也随机。</translation>
        </message>
        <message>
            <source>Checkpoints</source>
            <translation>检查点</translation>
        </message>
        <message>
            <source>Class</source>
            <translation>类别</translation>
        </message>
        <message>
            <source>Class name&apos;s key</source>
            <translation>类别名的键</translation>
        </message>
        <message>
            <source>Classes</source>
            <translation>类别</translation>
        </message>
        <message>
            <source>Classes left out</source>
            <translation>排除的类别</translation>
        </message>
        <message>
            <source>Clipping</source>
            <translation>裁剪</translation>
        </message>
        <message>
            <source>Clips every single value of the gradient. Empty: no clipping.</source>
            <translation>裁剪梯度的每一个值。留空：不裁剪。</translation>
        </message>
        <message>
            <source>Clips the norm of the gradient. Empty: no clipping.</source>
            <translation>裁剪梯度范数。留空：不裁剪。</translation>
        </message>
        <message>
            <source>Coefficients</source>
            <translation>系数</translation>
        </message>
        <message>
            <source>Colour</source>
            <translation>彩色</translation>
        </message>
        <message>
            <source>Colour jitter</source>
            <translation>颜色抖动</translation>
        </message>
        <message>
            <source>Colours</source>
            <translation>颜色</translation>
        </message>
        <message>
            <source>Colours turn by up to this share of the circle, 0 to 0.5; or from and to. Empty: unchanged; 0.1 is usual.</source>
            <translation>色相最多转动色环的这一份，0 至 0.5；也可写起止值。留空：不变；常用 0.1。</translation>
        </message>
        <message>
            <source>Column</source>
            <translation>列</translation>
        </message>
        <message>
            <source>Columns of numbers that are names, such as post codes.</source>
            <translation>以数字作名称的列，如邮编。</translation>
        </message>
        <message>
            <source>Columns that are not learned from, such as numbers of customers.</source>
            <translation>不用来学习的列，如客户编号。</translation>
        </message>
        <message>
            <source>Comma</source>
            <translation>逗号</translation>
        </message>
        <message>
            <source>Compute activations twice</source>
            <translation>激活计算两次</translation>
        </message>
        <message>
            <source>Constant</source>
            <translation>恒定</translation>
        </message>
        <message>
            <source>Contrast</source>
            <translation>对比度</translation>
        </message>
        <message>
            <source>ConvNeXt small</source>
            <translation>ConvNeXt small</translation>
        </message>
        <message>
            <source>ConvNeXt tiny</source>
            <translation>ConvNeXt tiny</translation>
        </message>
        <message>
            <source>Cosine</source>
            <translation>余弦</translation>
        </message>
        <message>
            <source>Cosine with restarts</source>
            <translation>带重启的余弦</translation>
        </message>
        <message>
            <source>Counts in</source>
            <translation>计数单位</translation>
        </message>
        <message>
            <source>Covered with</source>
            <translation>用什么盖</translation>
        </message>
        <message>
            <source>Covers a random rectangle.</source>
            <translation>盖住一个随机矩形。</translation>
        </message>
        <message>
            <source>Cross-entropy</source>
            <translation>交叉熵</translation>
        </message>
        <message>
            <source>Cross-entropy for classes and text, binary cross-entropy for labels, the mean squared error for numbers.</source>
            <translation>类别和文本用交叉熵，多标签用二元交叉熵，数值用均方误差。</translation>
        </message>
        <message>
            <source>Curve</source>
            <translation>曲线</translation>
        </message>
        <message>
            <source>CutMix</source>
            <translation>CutMix 拼接</translation>
        </message>
        <message>
            <source>Cuts</source>
            <translation>切口</translation>
        </message>
        <message>
            <source>Cuts each update into passes that need less memory; the result is the same.</source>
            <translation>把每步更新分成几次，省内存，结果相同。</translation>
        </message>
        <message>
            <source>Cuts out a random part and brings it to a size.</source>
            <translation>随机裁下一部分并缩放到指定尺寸。</translation>
        </message>
        <message>
            <source>Cuts out a window at a random place.</source>
            <translation>在随机位置裁下一个窗口。</translation>
        </message>
        <message>
            <source>Cuts the middle out.</source>
            <translation>裁下中间部分。</translation>
        </message>
        <message>
            <source>Dampening</source>
            <translation>阻尼</translation>
        </message>
        <message>
            <source>Data</source>
            <translation>数据</translation>
        </message>
        <message>
            <source>Data parallel</source>
            <translation>数据并行</translation>
        </message>
        <message>
            <source>Decode large pictures smaller</source>
            <translation>大图缩小解码</translation>
        </message>
        <message>
            <source>Decode once and keep the pixels in memory; automatic when they take at most a quarter of the free memory.</source>
            <translation>只解码一次并把像素留在内存中；自动：不超过空闲内存四分之一时保留。</translation>
        </message>
        <message>
            <source>Decoupled weight decay</source>
            <translation>解耦权重衰减</translation>
        </message>
        <message>
            <source>DenseNet-121</source>
            <translation>DenseNet-121</translation>
        </message>
        <message>
            <source>Deterministic</source>
            <translation>确定性</translation>
        </message>
        <message>
            <source>Device</source>
            <translation>设备</translation>
        </message>
        <message>
            <source>Devices</source>
            <translation>设备</translation>
        </message>
        <message>
            <source>Devices that share one network; what is left over makes more such groups, which divide the batch. &quot;auto&quot;: all devices.</source>
            <translation>共同承担一个网络的设备数；多出的设备组成更多这样的组，分担每批数据。&quot;auto&quot;：全部设备。</translation>
        </message>
        <message>
            <source>Digits on house fronts.</source>
            <translation>门牌数字。</translation>
        </message>
        <message>
            <source>Divide</source>
            <translation>切分</translation>
        </message>
        <message>
            <source>Divides by the spread around the average gradient.</source>
            <translation>除以围绕平均梯度的离散程度。</translation>
        </message>
        <message>
            <source>Divides each step by the recent size of the gradient; usual for recurrent networks and small mobile ones.</source>
            <translation>把每一步除以近期梯度的大小；常用于循环网络和小型移动网络。</translation>
        </message>
        <message>
            <source>Drawing of pictures</source>
            <translation>图片的抽取</translation>
        </message>
        <message>
            <source>Dropout</source>
            <translation>Dropout</translation>
        </message>
        <message>
            <source>Each cycle longer by</source>
            <translation>周期逐次加长</translation>
        </message>
        <message>
            <source>Each once an epoch</source>
            <translation>每轮各一次</translation>
        </message>
        <message>
            <source>Each picture is of one class.</source>
            <translation>每张图片属于一类。</translation>
        </message>
        <message>
            <source>Each row is of one class.</source>
            <translation>每行属于一类。</translation>
        </message>
        <message>
            <source>Edge</source>
            <translation>边长</translation>
        </message>
        <message>
            <source>Edge of the blurring window, an odd number; or its width and height.</source>
            <translation>模糊窗口的边长，须为奇数；也可写宽和高。</translation>
        </message>
        <message>
            <source>Edge of the square picture the network gets; 0 keeps the pictures as they are.</source>
            <translation>网络看到的方形图片边长；0 表示保持原样。</translation>
        </message>
        <message>
            <source>Edge of the square, or height and width.</source>
            <translation>方形边长，或高和宽。</translation>
        </message>
        <message>
            <source>EfficientNet B0</source>
            <translation>EfficientNet B0</translation>
        </message>
        <message>
            <source>EfficientNet B1</source>
            <translation>EfficientNet B1</translation>
        </message>
        <message>
            <source>EfficientNet B2</source>
            <translation>EfficientNet B2</translation>
        </message>
        <message>
            <source>EfficientNet B3</source>
            <translation>EfficientNet B3</translation>
        </message>
        <message>
            <source>Empty: the optimizer&apos;s.</source>
            <translation>留空：用优化器的值。</translation>
        </message>
        <message>
            <source>End below the start by</source>
            <translation>终点低于起点</translation>
        </message>
        <message>
            <source>Ends at</source>
            <translation>终点</translation>
        </message>
        <message>
            <source>Enlarge small pictures</source>
            <translation>补大小图片</translation>
        </message>
        <message>
            <source>Enlarges the picture so that nothing is cut off; a later step must bring it to a size.</source>
            <translation>放大画面，什么都不裁掉；之后须有一步统一尺寸。</translation>
        </message>
        <message>
            <source>Epochs</source>
            <translation>轮数</translation>
        </message>
        <message>
            <source>Epochs after a drop that do not count.</source>
            <translation>下降后几轮不计。</translation>
        </message>
        <message>
            <source>Epochs between two checkpoints; one is always written at the end.</source>
            <translation>每隔几轮保存检查点；结束时总会保存。</translation>
        </message>
        <message>
            <source>Epochs without progress that are let pass.</source>
            <translation>容忍几轮没有进步。</translation>
        </message>
        <message>
            <source>Epsilon</source>
            <translation>Epsilon</translation>
        </message>
        <message>
            <source>Epsilons</source>
            <translation>Epsilon 值</translation>
        </message>
        <message>
            <source>Errors beyond it count as absolute ones.</source>
            <translation>超过它的误差按绝对值计。</translation>
        </message>
        <message>
            <source>Evaluation pictures</source>
            <translation>评估图片</translation>
        </message>
        <message>
            <source>Evaluations without improvement after which training ends. Empty: it goes through all epochs.</source>
            <translation>多少次评估没有改进后结束训练。留空：训练完所有轮次。</translation>
        </message>
        <message>
            <source>Evens out</source>
            <translation>步长校正</translation>
        </message>
        <message>
            <source>Every class equally often</source>
            <translation>各类别同样多</translation>
        </message>
        <message>
            <source>Every device has the whole network and takes its share of each batch: the first thing to try, as long as the network fits.</source>
            <translation>每个设备都有整个网络，各处理每批的一部分：只要放得下网络，就先试它。</translation>
        </message>
        <message>
            <source>Every device takes its share of each batch and keeps a share of the optimizer&apos;s state, or of everything: for networks whose state does not fit on one device.</source>
            <translation>每个设备处理每批的一部分，并保存一部分优化器状态，或所有内容的一部分：适合一个设备放不下其状态的网络。</translation>
        </message>
        <message>
            <source>Every layer sees all before it; 8 million parameters, accurate for its size, needs much memory in training.</source>
            <translation>每层都能看到前面所有层；800 万参数，就其大小而言很准，训练时需要较多内存。</translation>
        </message>
        <message>
            <source>Every picture for itself.</source>
            <translation>每张图片各自独立。</translation>
        </message>
        <message>
            <source>Every pixel its own random colour.</source>
            <translation>每个像素随机一种颜色。</translation>
        </message>
        <message>
            <source>Every side</source>
            <translation>每一边</translation>
        </message>
        <message>
            <source>Exponential</source>
            <translation>指数</translation>
        </message>
        <message>
            <source>F1, by class size</source>
            <translation>F1(按类别大小加权)</translation>
        </message>
        <message>
            <source>F1, every class alike</source>
            <translation>F1(各类别同等)</translation>
        </message>
        <message>
            <source>Falls as a cosine and jumps back up, several times; the network settles into a new solution each time.</source>
            <translation>按余弦下降再跳回，反复几次；网络每次落入新的解。</translation>
        </message>
        <message>
            <source>Falls back to the first rate as slowly as it rose, and only then to the end.</source>
            <translation>先像上升那样慢慢回到最初的学习率，再降到终点。</translation>
        </message>
        <message>
            <source>Falls slowly, then fast, then slowly towards nothing; a sound choice for most networks.</source>
            <translation>先慢后快再慢，降到接近零；适合多数网络。</translation>
        </message>
        <message>
            <source>Falls to 0 along a power of the time that is left; usual for segmentation.</source>
            <translation>按剩余时间的幂降到 0；常用于分割。</translation>
        </message>
        <message>
            <source>Falls with the root of the time; usual for transformers, with a warm-up.</source>
            <translation>按时间的平方根下降；常配预热用于 Transformer。</translation>
        </message>
        <message>
            <source>File</source>
            <translation>文件</translation>
        </message>
        <message>
            <source>Files to leave out, as the scan names them.</source>
            <translation>要排除的文件，名称与扫描所列一致。</translation>
        </message>
        <message>
            <source>Fill</source>
            <translation>填充</translation>
        </message>
        <message>
            <source>First cycle</source>
            <translation>首个周期</translation>
        </message>
        <message>
            <source>First layers</source>
            <translation>最前几层</translation>
        </message>
        <message>
            <source>First loss scale</source>
            <translation>初始损失缩放</translation>
        </message>
        <message>
            <source>First row names the columns</source>
            <translation>首行是列名</translation>
        </message>
        <message>
            <source>Flattest and tallest height ÷ width.</source>
            <translation>高 ÷ 宽的最小与最大值。</translation>
        </message>
        <message>
            <source>Folder</source>
            <translation>文件夹</translation>
        </message>
        <message>
            <source>Folder or file</source>
            <translation>文件夹或文件</translation>
        </message>
        <message>
            <source>For any number of labels a sample: each is a yes or no of its own.</source>
            <translation>每个样本可有任意多个标签：每个标签各自判断是或否。</translation>
        </message>
        <message>
            <source>For numbers with outliers.</source>
            <translation>用于含离群值的数值。</translation>
        </message>
        <message>
            <source>For numbers; large errors count most.</source>
            <translation>用于数值；大误差影响最大。</translation>
        </message>
        <message>
            <source>For one class a sample.</source>
            <translation>用于每个样本一个类别。</translation>
        </message>
        <message>
            <source>For photos</source>
            <translation>用于照片</translation>
        </message>
        <message>
            <source>For small pictures</source>
            <translation>用于小图片</translation>
        </message>
        <message>
            <source>From 0 to one below the number of grades.</source>
            <translation>从 0 到级数减一。</translation>
        </message>
        <message>
            <source>From and to</source>
            <translation>起止值</translation>
        </message>
        <message>
            <source>From level</source>
            <translation>起始色阶</translation>
        </message>
        <message>
            <source>From one share of the learning rate to another in a straight line; usual for fine-tuning.</source>
            <translation>从学习率的一个比例直线变到另一个；常用于微调。</translation>
        </message>
        <message>
            <source>Frozen</source>
            <translation>冻结</translation>
        </message>
        <message>
            <source>Frozen parts</source>
            <translation>冻结的部分</translation>
        </message>
        <message>
            <source>Fully connected layers; for small pictures and first experiments.</source>
            <translation>全连接层；适合小图片和初步试验。</translation>
        </message>
        <message>
            <source>GPT</source>
            <translation>GPT</translation>
        </message>
        <message>
            <source>Gaussian blur</source>
            <translation>高斯模糊</translation>
        </message>
        <message>
            <source>Grades of strength</source>
            <translation>强度级数</translation>
        </message>
        <message>
            <source>Gradients travel as</source>
            <translation>梯度传输精度</translation>
        </message>
        <message>
            <source>Grey</source>
            <translation>灰度</translation>
        </message>
        <message>
            <source>Group norm</source>
            <translation>组归一化</translation>
        </message>
        <message>
            <source>Groups of parameters</source>
            <translation>参数分组</translation>
        </message>
        <message>
            <source>Growth</source>
            <translation>增长</translation>
        </message>
        <message>
            <source>Growth after</source>
            <translation>多少次后增长</translation>
        </message>
        <message>
            <source>Half as much to send; the sums are less exact.</source>
            <translation>传输量减半；求和没有那么精确。</translation>
        </message>
        <message>
            <source>Heads</source>
            <translation>头数</translation>
        </message>
        <message>
            <source>Height and width</source>
            <translation>高和宽</translation>
        </message>
        <message>
            <source>Held out for checking</source>
            <translation>留出验证</translation>
        </message>
        <message>
            <source>Hidden layers</source>
            <translation>隐藏层</translation>
        </message>
        <message>
            <source>Highest momentum</source>
            <translation>最高动量</translation>
        </message>
        <message>
            <source>Highest rate</source>
            <translation>最高学习率</translation>
        </message>
        <message>
            <source>Holds the JPEG or PNG.</source>
            <translation>存放 JPEG 或 PNG。</translation>
        </message>
        <message>
            <source>Holds the activations of all parts.</source>
            <translation>保留所有份的激活。</translation>
        </message>
        <message>
            <source>Holds the activations of no more parts than there are stages.</source>
            <translation>同时保留的激活份数不超过段数。</translation>
        </message>
        <message>
            <source>Holds the name of the class, where there is one.</source>
            <translation>存放类别名称（如果有）。</translation>
        </message>
        <message>
            <source>Holds the number of the class.</source>
            <translation>存放类别编号。</translation>
        </message>
        <message>
            <source>How far each update moves the weights.</source>
            <translation>每步更新移动权重的幅度。</translation>
        </message>
        <message>
            <source>How fast the momentum rises to its full value; larger is faster.</source>
            <translation>动量升到最终值的快慢；越大越快。</translation>
        </message>
        <message>
            <source>How it goes from one value to the next.</source>
            <translation>怎样从一个值变到下一个。</translation>
        </message>
        <message>
            <source>How many are applied one after the other.</source>
            <translation>依次应用几种。</translation>
        </message>
        <message>
            <source>How many bytes the network sees at a time; each is a token.</source>
            <translation>网络一次看到多少字节；每个字节是一个词元。</translation>
        </message>
        <message>
            <source>How many of the newest checkpoints stay; the best is kept besides.</source>
            <translation>保留最新的几个检查点；最佳的另外保留。</translation>
        </message>
        <message>
            <source>How many places a layer looks at, at a time.</source>
            <translation>一层同时关注多少处。</translation>
        </message>
        <message>
            <source>How many units lie between two drops of the learning rate.</source>
            <translation>学习率每次下降之间隔几个单位。</translation>
        </message>
        <message>
            <source>How much of the previous updates is kept.</source>
            <translation>保留多少之前的更新。</translation>
        </message>
        <message>
            <source>How often each step is drawn, relative to the others. Empty: all alike.</source>
            <translation>每一步被抽中的相对频率。留空：相同。</translation>
        </message>
        <message>
            <source>How often it happens.</source>
            <translation>发生的概率。</translation>
        </message>
        <message>
            <source>How often the last block is skipped in training, the earlier ones less; guards against memorising.</source>
            <translation>训练时最后一块被跳过的概率，越靠前越小；防止死记。</translation>
        </message>
        <message>
            <source>How often training goes through all pictures.</source>
            <translation>把所有图片过几遍。</translation>
        </message>
        <message>
            <source>How pixels between pixels are made.</source>
            <translation>像素之间的像素如何得出。</translation>
        </message>
        <message>
            <source>How the picture is taken in.</source>
            <translation>图片如何进入网络。</translation>
        </message>
        <message>
            <source>How the rate goes by a matrix&apos;s shape.</source>
            <translation>学习率如何随矩阵形状变化。</translation>
        </message>
        <message>
            <source>How the smallest progress is measured.</source>
            <translation>最小进步如何衡量。</translation>
        </message>
        <message>
            <source>Huber</source>
            <translation>Huber</translation>
        </message>
        <message>
            <source>Hue</source>
            <translation>色相</translation>
        </message>
        <message>
            <source>IDX files (MNIST)</source>
            <translation>IDX 文件（MNIST）</translation>
        </message>
        <message>
            <source>Ignore columns</source>
            <translation>忽略的列</translation>
        </message>
        <message>
            <source>ImageNet</source>
            <translation>ImageNet</translation>
        </message>
        <message>
            <source>In the .json files; empty: &quot;label&quot; or &quot;cls&quot;.</source>
            <translation>在 .json 文件中；留空：&quot;label&quot; 或 &quot;cls&quot;。</translation>
        </message>
        <message>
            <source>In what order a stage goes forward and backward.</source>
            <translation>一段网络前向与反向的次序。</translation>
        </message>
        <message>
            <source>Initial sum</source>
            <translation>初始累加值</translation>
        </message>
        <message>
            <source>Interpolation</source>
            <translation>插值</translation>
        </message>
        <message>
            <source>Into how many grades each operation&apos;s strength is cut.</source>
            <translation>每种操作的强度分成几级。</translation>
        </message>
        <message>
            <source>Inverse square root</source>
            <translation>平方根倒数</translation>
        </message>
        <message>
            <source>Inverts the bright pixels.</source>
            <translation>反转亮的像素。</translation>
        </message>
        <message>
            <source>It should fall.</source>
            <translation>应下降。</translation>
        </message>
        <message>
            <source>It should rise.</source>
            <translation>应上升。</translation>
        </message>
        <message>
            <source>Iterations</source>
            <translation>迭代次数</translation>
        </message>
        <message>
            <source>Keep</source>
            <translation>保留</translation>
        </message>
        <message>
            <source>Keep decoded</source>
            <translation>保留解码结果</translation>
        </message>
        <message>
            <source>Keep the corners</source>
            <translation>保留四角</translation>
        </message>
        <message>
            <source>Keep together</source>
            <translation>放在一起</translation>
        </message>
        <message>
            <source>Keeps a moving average of the weights, which is evaluated and saved besides; 0.999 is usual. Empty: none.</source>
            <translation>另外保持权重的滑动平均，一并评估和保存；常用 0.999。留空：不用。</translation>
        </message>
        <message>
            <source>Keeps the largest average of squared gradients.</source>
            <translation>保留梯度平方平均的最大值。</translation>
        </message>
        <message>
            <source>Keeps the size at first; for pictures of 28 to 64 pixels.</source>
            <translation>开头保持尺寸；适合 28 到 64 像素的图片。</translation>
        </message>
        <message>
            <source>Kept per channel: 8 changes nothing, 1 leaves two levels.</source>
            <translation>每个通道保留的位数：8 不变，1 只剩两级。</translation>
        </message>
        <message>
            <source>Label columns</source>
            <translation>标签列</translation>
        </message>
        <message>
            <source>Label smoothing</source>
            <translation>标签平滑</translation>
        </message>
        <message>
            <source>Label&apos;s key</source>
            <translation>标签的键</translation>
        </message>
        <message>
            <source>Large JPEGs are decoded at a half, quarter or eighth where the network gets less anyway.</source>
            <translation>网络用不到那么大时，大的 JPEG 按二分之一、四分之一或八分之一解码。</translation>
        </message>
        <message>
            <source>Larger ones are refused before they are decoded.</source>
            <translation>更大的图片在解码前就会被拒绝。</translation>
        </message>
        <message>
            <source>Largest picture</source>
            <translation>最大图片</translation>
        </message>
        <message>
            <source>Largest shift sideways and upwards, as a share of width and height. Empty: none.</source>
            <translation>横向和纵向的最大平移，占宽和高的比例。留空：没有。</translation>
        </message>
        <message>
            <source>Layers</source>
            <translation>层</translation>
        </message>
        <message>
            <source>Learn</source>
            <translation>学习</translation>
        </message>
        <message>
            <source>Learning rate</source>
            <translation>学习率</translation>
        </message>
        <message>
            <source>Learning rate ×</source>
            <translation>学习率 ×</translation>
        </message>
        <message>
            <source>Learning-rate schedule</source>
            <translation>学习率调度</translation>
        </message>
        <message>
            <source>Leaves fewer levels per channel.</source>
            <translation>减少每个通道的色阶。</translation>
        </message>
        <message>
            <source>Left out</source>
            <translation>已排除</translation>
        </message>
        <message>
            <source>Length</source>
            <translation>长度</translation>
        </message>
        <message>
            <source>Length of the shorter side, or height and width.</source>
            <translation>短边长度，或高和宽。</translation>
        </message>
        <message>
            <source>Less than this does not count as better.</source>
            <translation>小于它不算变好。</translation>
        </message>
        <message>
            <source>Level</source>
            <translation>色阶</translation>
        </message>
        <message>
            <source>Level of the border, 0 to 255: one, or one per channel.</source>
            <translation>边框的色阶，0 至 255：一个，或每通道一个。</translation>
        </message>
        <message>
            <source>Level of what lies outside a turned or shifted picture, 0 to 255: one, or one per channel. Empty: black.</source>
            <translation>旋转或平移后图片之外的色阶，0 至 255：一个，或每通道一个。留空：黑。</translation>
        </message>
        <message>
            <source>Level of what lies outside the picture, 0 to 255: one, or one per channel.</source>
            <translation>图片之外的色阶，0 至 255：一个，或每通道一个。</translation>
        </message>
        <message>
            <source>Levels from this one on are inverted; 128 is usual.</source>
            <translation>从这一级起反转；常用 128。</translation>
        </message>
        <message>
            <source>Limit each gradient</source>
            <translation>限制每个梯度</translation>
        </message>
        <message>
            <source>Limit sudden jumps</source>
            <translation>限制突变</translation>
        </message>
        <message>
            <source>Linear</source>
            <translation>线性</translation>
        </message>
        <message>
            <source>Lion</source>
            <translation>Lion</translation>
        </message>
        <message>
            <source>Loader threads</source>
            <translation>读取线程</translation>
        </message>
        <message>
            <source>Longest side</source>
            <translation>长边上限</translation>
        </message>
        <message>
            <source>Longest text</source>
            <translation>最长文本</translation>
        </message>
        <message>
            <source>Looks ahead along the momentum.</source>
            <translation>沿动量方向提前看一步。</translation>
        </message>
        <message>
            <source>Loss</source>
            <translation>损失</translation>
        </message>
        <message>
            <source>Low where the rate is high. An optimizer without momentum keeps none.</source>
            <translation>学习率高时动量低。没有动量的优化器不受影响。</translation>
        </message>
        <message>
            <source>Lower it at</source>
            <translation>在何时降低</translation>
        </message>
        <message>
            <source>Lower it every</source>
            <translation>每隔多久降低</translation>
        </message>
        <message>
            <source>Lowers the learning rate when the evaluation has not become better for some epochs.</source>
            <translation>评估几轮没有变好就降低学习率。</translation>
        </message>
        <message>
            <source>Lowest momentum</source>
            <translation>最低动量</translation>
        </message>
        <message>
            <source>Lowest rate</source>
            <translation>最低学习率</translation>
        </message>
        <message>
            <source>MNIST&apos;s binary files of pictures and labels, plain or gzipped.</source>
            <translation>MNIST 的图片与标签二进制文件，可为 gzip 压缩。</translation>
        </message>
        <message>
            <source>Matrix products and convolutions in bfloat16; faster where the processor or GPU has it.</source>
            <translation>矩阵乘法和卷积用 bfloat16；处理器或 GPU 支持时更快。</translation>
        </message>
        <message>
            <source>Matrix products and convolutions in half precision, with a gradient scaler; for GPUs without bfloat16.</source>
            <translation>矩阵乘法和卷积用半精度，并带梯度缩放；适合没有 bfloat16 的 GPU。</translation>
        </message>
        <message>
            <source>Mean</source>
            <translation>均值</translation>
        </message>
        <message>
            <source>Mean absolute error</source>
            <translation>平均绝对误差</translation>
        </message>
        <message>
            <source>Mean and variance of batch norm over the whole batch instead of each device&apos;s share; slower, better where a device has few samples.</source>
            <translation>批归一化的均值和方差按整批计算，而不是按各设备的部分；较慢，每个设备样本少时更好。</translation>
        </message>
        <message>
            <source>Mean squared error</source>
            <translation>均方误差</translation>
        </message>
        <message>
            <source>Mirror</source>
            <translation>镜像</translation>
        </message>
        <message>
            <source>Mirror with the edge</source>
            <translation>含边缘镜像</translation>
        </message>
        <message>
            <source>Mirrors left and right.</source>
            <translation>左右翻转。</translation>
        </message>
        <message>
            <source>Mirrors top and bottom.</source>
            <translation>上下翻转。</translation>
        </message>
        <message>
            <source>Mixup</source>
            <translation>Mixup 混合</translation>
        </message>
        <message>
            <source>MobileNet V2</source>
            <translation>MobileNet V2</translation>
        </message>
        <message>
            <source>MobileNet V3 large</source>
            <translation>MobileNet V3 large</translation>
        </message>
        <message>
            <source>MobileNet V3 small</source>
            <translation>MobileNet V3 small</translation>
        </message>
        <message>
            <source>Model</source>
            <translation>模型</translation>
        </message>
        <message>
            <source>Momentum</source>
            <translation>动量</translation>
        </message>
        <message>
            <source>Momentum decay</source>
            <translation>动量衰减</translation>
        </message>
        <message>
            <source>More of them keep the devices busier; fewer of them make each quicker. &quot;auto&quot;: four for each stage.</source>
            <translation>份数多，设备空闲少；份数少，每份更快。&quot;auto&quot;：每段四份。</translation>
        </message>
        <message>
            <source>Move the momentum</source>
            <translation>调整动量</translation>
        </message>
        <message>
            <source>Multilayer perceptron</source>
            <translation>多层感知机</translation>
        </message>
        <message>
            <source>Multiplies the learning rate by a factor after every unit.</source>
            <translation>每过一个单位把学习率乘以一个系数。</translation>
        </message>
        <message>
            <source>Multiplies the learning rate by a factor at each of the times you name.</source>
            <translation>在你指定的每个时刻把学习率乘以一个系数。</translation>
        </message>
        <message>
            <source>Multiplies the learning rate by a factor at regular intervals; the usual choice with SGD.</source>
            <translation>每隔固定间隔把学习率乘以一个系数；配 SGD 的常用选择。</translation>
        </message>
        <message>
            <source>Multiply it by</source>
            <translation>乘以</translation>
        </message>
        <message>
            <source>Muon</source>
            <translation>Muon</translation>
        </message>
        <message>
            <source>NAdam</source>
            <translation>NAdam</translation>
        </message>
        <message>
            <source>Name</source>
            <translation>名称</translation>
        </message>
        <message>
            <source>Name pattern</source>
            <translation>名称模式</translation>
        </message>
        <message>
            <source>Names of classes to leave out.</source>
            <translation>要排除的类别名称。</translation>
        </message>
        <message>
            <source>Names the recipe and its runs.</source>
            <translation>配方及其训练的名称。</translation>
        </message>
        <message>
            <source>Narrowest and widest width ÷ height.</source>
            <translation>宽 ÷ 高的最小与最大值。</translation>
        </message>
        <message>
            <source>Near-duplicates</source>
            <translation>近似重复</translation>
        </message>
        <message>
            <source>Nearest</source>
            <translation>最近邻</translation>
        </message>
        <message>
            <source>Needs much less memory and about a third more time; the numbers are the same.</source>
            <translation>所需内存少得多，时间约多三分之一；数值不变。</translation>
        </message>
        <message>
            <source>Nesterov</source>
            <translation>Nesterov</translation>
        </message>
        <message>
            <source>Never</source>
            <translation>从不</translation>
        </message>
        <message>
            <source>No</source>
            <translation>否</translation>
        </message>
        <message>
            <source>Noise</source>
            <translation>噪声</translation>
        </message>
        <message>
            <source>Norm</source>
            <translation>归一化</translation>
        </message>
        <message>
            <source>Normalise</source>
            <translation>标准化</translation>
        </message>
        <message>
            <source>Nothing</source>
            <translation>不分组</translation>
        </message>
        <message>
            <source>Number of classes</source>
            <translation>类别数</translation>
        </message>
        <message>
            <source>Numbers</source>
            <translation>数值</translation>
        </message>
        <message>
            <source>Numbers that stand for a token; a multiple of the heads.</source>
            <translation>表示一个词元的数字个数；须为头数的倍数。</translation>
        </message>
        <message>
            <source>Of the Beta distribution that draws the area: 1 draws every share alike.</source>
            <translation>抽取面积的 Beta 分布参数：1 各种比例均等。</translation>
        </message>
        <message>
            <source>Of the Beta distribution that draws the share: 0.2 is mild, 1 draws every share alike.</source>
            <translation>抽取比例的 Beta 分布参数：0.2 较温和，1 各种比例均等。</translation>
        </message>
        <message>
            <source>Of the orthogonalisation&apos;s polynomial.</source>
            <translation>正交化多项式的系数。</translation>
        </message>
        <message>
            <source>Of the orthogonalisation.</source>
            <translation>正交化的迭代次数。</translation>
        </message>
        <message>
            <source>Off: the step is skipped.</source>
            <translation>关闭：跳过这一步。</translation>
        </message>
        <message>
            <source>On</source>
            <translation>启用</translation>
        </message>
        <message>
            <source>One after the other; a name lets later layers take a layer&apos;s output.</source>
            <translation>依次排列；起了名字的层，后面的层可以取用它的输出。</translation>
        </message>
        <message>
            <source>One class</source>
            <translation>单个类别</translation>
        </message>
        <message>
            <source>One cycle</source>
            <translation>单周期</translation>
        </message>
        <message>
            <source>One device</source>
            <translation>单设备</translation>
        </message>
        <message>
            <source>One folder per class with JPEG, PNG, BMP, WebP or TIFF pictures in it; train and val folders above them if there.</source>
            <translation>每类一个文件夹，内有 JPEG、PNG、BMP、WebP 或 TIFF 图片；上层可有 train 和 val 文件夹。</translation>
        </message>
        <message>
            <source>One forward, one backward</source>
            <translation>一次前向、一次反向</translation>
        </message>
        <message>
            <source>One grey level</source>
            <translation>单一灰度</translation>
        </message>
        <message>
            <source>One number</source>
            <translation>单个数</translation>
        </message>
        <message>
            <source>One random operation of random strength: strong, and nothing to tune.</source>
            <translation>一种随机操作，强度随机：效果强，无需调参。</translation>
        </message>
        <message>
            <source>Only algorithms that give the same bits each time; may be slower. Without it, repeats can differ in the last digits on a GPU.</source>
            <translation>只用每次结果逐位相同的算法；可能更慢。不启用时，在 GPU 上重复训练的末几位可能不同。</translation>
        </message>
        <message>
            <source>Operations</source>
            <translation>操作数</translation>
        </message>
        <message>
            <source>Optimizer</source>
            <translation>优化器</translation>
        </message>
        <message>
            <source>Order</source>
            <translation>次序</translation>
        </message>
        <message>
            <source>Orthogonalised momentum for weight matrices, AdamW for the rest; quick for transformers.</source>
            <translation>权重矩阵用正交化动量，其余用 AdamW；训练 Transformer 很快。</translation>
        </message>
        <message>
            <source>Outputs of the network; empty: as many as the data has.</source>
            <translation>网络的输出数；留空：与数据类别数相同。</translation>
        </message>
        <message>
            <source>Over the pictures of a step; as published weights have it.</source>
            <translation>在一步的图片上计算；公开权重用的就是它。</translation>
        </message>
        <message>
            <source>Own layers</source>
            <translation>自定义层</translation>
        </message>
        <message>
            <source>Padding</source>
            <translation>填边</translation>
        </message>
        <message>
            <source>Parameters by name: layer4.*, fc.*, *.bias.</source>
            <translation>按名称指定参数：layer4.*、fc.*、*.bias。</translation>
        </message>
        <message>
            <source>Parameters of two dimensions and more.</source>
            <translation>二维及以上的参数。</translation>
        </message>
        <message>
            <source>Parameters that stay as they are, by name: conv1.*, layer1.*, *.bias.</source>
            <translation>保持不变的参数，按名称：conv1.*、layer1.*、*.bias。</translation>
        </message>
        <message>
            <source>Parts</source>
            <translation>份数</translation>
        </message>
        <message>
            <source>Parts of a batch</source>
            <translation>每批分成几份</translation>
        </message>
        <message>
            <source>Patience</source>
            <translation>耐心</translation>
        </message>
        <message>
            <source>Patience with a broken loss</source>
            <translation>对损失异常的容忍</translation>
        </message>
        <message>
            <source>Patience with a silent device</source>
            <translation>等待无响应设备的时间</translation>
        </message>
        <message>
            <source>Per channel</source>
            <translation>每个通道</translation>
        </message>
        <message>
            <source>Per channel, of values from 0 to 1.</source>
            <translation>每个通道，取值 0 到 1。</translation>
        </message>
        <message>
            <source>Photographs.</source>
            <translation>照片。</translation>
        </message>
        <message>
            <source>Picture column</source>
            <translation>图片列</translation>
        </message>
        <message>
            <source>Picture size</source>
            <translation>图片尺寸</translation>
        </message>
        <message>
            <source>Picture&apos;s key</source>
            <translation>图片的键</translation>
        </message>
        <message>
            <source>Pictures in class folders</source>
            <translation>按类分文件夹的图片</translation>
        </message>
        <message>
            <source>Pictures listed in a table</source>
            <translation>表格列出的图片</translation>
        </message>
        <message>
            <source>Pictures of one group never end up in different parts.</source>
            <translation>同一组的图片不会分到不同部分。</translation>
        </message>
        <message>
            <source>Pictures of rare classes come several times an epoch, some of frequent ones not at all.</source>
            <translation>少见类别的图片每轮出现多次，常见类别的有些一次也不出现。</translation>
        </message>
        <message>
            <source>Pictures per update</source>
            <translation>每次更新的图片数</translation>
        </message>
        <message>
            <source>Pictures that look the same.</source>
            <translation>看起来一样的图片。</translation>
        </message>
        <message>
            <source>Pictures&apos; folder</source>
            <translation>图片文件夹</translation>
        </message>
        <message>
            <source>Pipeline</source>
            <translation>流水线</translation>
        </message>
        <message>
            <source>Places that the network can tell apart. Empty: as many as a window of the data has.</source>
            <translation>网络能区分的位置数。留空：与数据窗口的长度相同。</translation>
        </message>
        <message>
            <source>Point it turns about, x and y in pixels from the top left. Empty: the middle.</source>
            <translation>旋转中心，从左上角起的 x、y 像素。留空：正中。</translation>
        </message>
        <message>
            <source>Policy</source>
            <translation>策略</translation>
        </message>
        <message>
            <source>Polynomial</source>
            <translation>多项式</translation>
        </message>
        <message>
            <source>Power</source>
            <translation>幂</translation>
        </message>
        <message>
            <source>Precision</source>
            <translation>精度</translation>
        </message>
        <message>
            <source>Predict a number.</source>
            <translation>预测一个数值。</translation>
        </message>
        <message>
            <source>Predict column</source>
            <translation>预测列</translation>
        </message>
        <message>
            <source>Predict one number, or several.</source>
            <translation>预测一个或多个数值。</translation>
        </message>
        <message>
            <source>Probability</source>
            <translation>概率</translation>
        </message>
        <message>
            <source>Progress is</source>
            <translation>进步按</translation>
        </message>
        <message>
            <source>Pulls the weights themselves, as AdamW does, not through the gradient.</source>
            <translation>像 AdamW 那样直接作用于权重，而不通过梯度。</translation>
        </message>
        <message>
            <source>Pulls weights towards zero; guards against memorising.</source>
            <translation>把权重拉向零；防止死记。</translation>
        </message>
        <message>
            <source>Puts a box from the picture before it into each picture of an update; the label follows the area.</source>
            <translation>把前一张图片的一块放进一次更新中的每张图片；标签按面积分配。</translation>
        </message>
        <message>
            <source>RAdam</source>
            <translation>RAdam</translation>
        </message>
        <message>
            <source>RMSprop</source>
            <translation>RMSprop</translation>
        </message>
        <message>
            <source>Raises the learning rate linearly from near 0 over this many units, before the schedule.</source>
            <translation>在调度之前，用这么多单位把学习率从接近 0 线性升上来。</translation>
        </message>
        <message>
            <source>RandAugment</source>
            <translation>RandAugment</translation>
        </message>
        <message>
            <source>Random affine</source>
            <translation>随机仿射</translation>
        </message>
        <message>
            <source>Random autocontrast</source>
            <translation>随机自动对比度</translation>
        </message>
        <message>
            <source>Random crop</source>
            <translation>随机裁剪</translation>
        </message>
        <message>
            <source>Random equalise</source>
            <translation>随机均衡化</translation>
        </message>
        <message>
            <source>Random erasing</source>
            <translation>随机擦除</translation>
        </message>
        <message>
            <source>Random grey</source>
            <translation>随机灰度</translation>
        </message>
        <message>
            <source>Random horizontal flip</source>
            <translation>随机水平翻转</translation>
        </message>
        <message>
            <source>Random invert</source>
            <translation>随机反相</translation>
        </message>
        <message>
            <source>Random perspective</source>
            <translation>随机透视</translation>
        </message>
        <message>
            <source>Random posterise</source>
            <translation>随机色调分离</translation>
        </message>
        <message>
            <source>Random resized crop</source>
            <translation>随机缩放裁剪</translation>
        </message>
        <message>
            <source>Random rotation</source>
            <translation>随机旋转</translation>
        </message>
        <message>
            <source>Random sharpness</source>
            <translation>随机锐度</translation>
        </message>
        <message>
            <source>Random solarise</source>
            <translation>随机曝光过度</translation>
        </message>
        <message>
            <source>Random vertical flip</source>
            <translation>随机垂直翻转</translation>
        </message>
        <message>
            <source>Rate decay</source>
            <translation>学习率衰减</translation>
        </message>
        <message>
            <source>Reach</source>
            <translation>范围</translation>
        </message>
        <message>
            <source>Reaches 0 after</source>
            <translation>降到 0 用</translation>
        </message>
        <message>
            <source>Reaches the end after</source>
            <translation>到终点用</translation>
        </message>
        <message>
            <source>Record every</source>
            <translation>记录间隔</translation>
        </message>
        <message>
            <source>Red, green and blue under transparent pixels.</source>
            <translation>透明像素下的红、绿、蓝。</translation>
        </message>
        <message>
            <source>Reduces the picture to a quarter at once; for pictures of about 100 pixels and more.</source>
            <translation>一开始就把图片缩到四分之一；适合约 100 像素以上的图片。</translation>
        </message>
        <message>
            <source>Reduces the share of the new gradient in the momentum.</source>
            <translation>降低新梯度在动量中的份额。</translation>
        </message>
        <message>
            <source>Repeat the edge</source>
            <translation>重复边缘</translation>
        </message>
        <message>
            <source>ResNeXt-50 32×4d</source>
            <translation>ResNeXt-50 32×4d</translation>
        </message>
        <message>
            <source>ResNet-101</source>
            <translation>ResNet-101</translation>
        </message>
        <message>
            <source>ResNet-152</source>
            <translation>ResNet-152</translation>
        </message>
        <message>
            <source>ResNet-18</source>
            <translation>ResNet-18</translation>
        </message>
        <message>
            <source>ResNet-34</source>
            <translation>ResNet-34</translation>
        </message>
        <message>
            <source>ResNet-50</source>
            <translation>ResNet-50</translation>
        </message>
        <message>
            <source>ResNet-50 with grouped convolutions; more accurate for about the same work.</source>
            <translation>带分组卷积的 ResNet-50；计算量相近，更准。</translation>
        </message>
        <message>
            <source>ResNet-50 with twice the width inside its blocks; 69 million parameters, for a large GPU.</source>
            <translation>块内宽度加倍的 ResNet-50；6900 万参数，适合大显存 GPU。</translation>
        </message>
        <message>
            <source>Resize</source>
            <translation>缩放</translation>
        </message>
        <message>
            <source>Rest after a drop</source>
            <translation>下降后休息</translation>
        </message>
        <message>
            <source>Right among five</source>
            <translation>前五命中率</translation>
        </message>
        <message>
            <source>Rises to a high rate, then falls to almost nothing, and moves the momentum the other way; quick, good results in few epochs.</source>
            <translation>先升到高学习率，再降到几乎为零，动量反向变化；几轮就有好结果。</translation>
        </message>
        <message>
            <source>Root mean square error</source>
            <translation>均方根误差</translation>
        </message>
        <message>
            <source>Run</source>
            <translation>训练</translation>
        </message>
        <message>
            <source>R²</source>
            <translation>R²</translation>
        </message>
        <message>
            <source>SGD</source>
            <translation>SGD</translation>
        </message>
        <message>
            <source>SVHN</source>
            <translation>SVHN</translation>
        </message>
        <message>
            <source>Same folder</source>
            <translation>同一文件夹</translation>
        </message>
        <message>
            <source>Same name pattern</source>
            <translation>同名称模式</translation>
        </message>
        <message>
            <source>Samples per optimizer step, over all devices and passes.</source>
            <translation>每个优化步的样本数，所有设备和分次合计。</translation>
        </message>
        <message>
            <source>Saturation</source>
            <translation>饱和度</translation>
        </message>
        <message>
            <source>Save every</source>
            <translation>保存间隔</translation>
        </message>
        <message>
            <source>Scale</source>
            <translation>缩放</translation>
        </message>
        <message>
            <source>Seed</source>
            <translation>随机种子</translation>
        </message>
        <message>
            <source>Semicolon</source>
            <translation>分号</translation>
        </message>
        <message>
            <source>Set aside for the end</source>
            <translation>留到最后测试</translation>
        </message>
        <message>
            <source>Sharded</source>
            <translation>分片</translation>
        </message>
        <message>
            <source>Share</source>
            <translation>比例</translation>
        </message>
        <message>
            <source>Share of certainty given to the other classes.</source>
            <translation>分给其他类别的确信度。</translation>
        </message>
        <message>
            <source>Share of the area</source>
            <translation>面积比例</translation>
        </message>
        <message>
            <source>Share of the updates until the peak.</source>
            <translation>到峰值的更新占比。</translation>
        </message>
        <message>
            <source>Share that rises</source>
            <translation>上升占比</translation>
        </message>
        <message>
            <source>Sharpens or softens.</source>
            <translation>锐化或柔化。</translation>
        </message>
        <message>
            <source>Sharpness</source>
            <translation>锐度</translation>
        </message>
        <message>
            <source>Shear</source>
            <translation>错切</translation>
        </message>
        <message>
            <source>Shift</source>
            <translation>平移</translation>
        </message>
        <message>
            <source>Sides</source>
            <translation>各边</translation>
        </message>
        <message>
            <source>Sideways by up to this many degrees either way; or from and to; or from and to, sideways and upwards. Empty: none.</source>
            <translation>向两侧最多错切这么多度；也可写起止值，或横向与纵向的起止值。留空：没有。</translation>
        </message>
        <message>
            <source>Single precision everywhere.</source>
            <translation>全部用单精度。</translation>
        </message>
        <message>
            <source>Single precision with shortened factors in matrix products and convolutions; faster on NVIDIA GPUs since Ampere.</source>
            <translation>单精度，但矩阵乘法和卷积的乘数缩短；在 Ampere 及以后的 NVIDIA GPU 上更快。</translation>
        </message>
        <message>
            <source>Size</source>
            <translation>尺寸</translation>
        </message>
        <message>
            <source>Small CNN</source>
            <translation>小型卷积网络</translation>
        </message>
        <message>
            <source>Small photographs.</source>
            <translation>小照片。</translation>
        </message>
        <message>
            <source>Smallest and largest part of the picture&apos;s area.</source>
            <translation>占图片面积的最小与最大比例。</translation>
        </message>
        <message>
            <source>Smallest and largest scale. Empty: none.</source>
            <translation>最小与最大倍数。留空：没有。</translation>
        </message>
        <message>
            <source>Smallest drop</source>
            <translation>最小降幅</translation>
        </message>
        <message>
            <source>Smallest improvement</source>
            <translation>最小改进</translation>
        </message>
        <message>
            <source>Smallest progress</source>
            <translation>最小进步</translation>
        </message>
        <message>
            <source>Smooth and a little sharper.</source>
            <translation>平滑且稍锐利。</translation>
        </message>
        <message>
            <source>Smooth.</source>
            <translation>平滑。</translation>
        </message>
        <message>
            <source>So long the others wait for a device that does not answer, before the run fails.</source>
            <translation>某个设备没有响应时，其他设备最多等这么久，之后运行失败。</translation>
        </message>
        <message>
            <source>So many updates without infinities.</source>
            <translation>连续这么多次更新没有出现无穷大。</translation>
        </message>
        <message>
            <source>Softness</source>
            <translation>柔和度</translation>
        </message>
        <message>
            <source>Split into n passes</source>
            <translation>分成 n 次</translation>
        </message>
        <message>
            <source>Spreads the levels of each channel evenly.</source>
            <translation>让每个通道的色阶分布均匀。</translation>
        </message>
        <message>
            <source>Squared for small errors, absolute for large ones.</source>
            <translation>小误差按平方，大误差按绝对值。</translation>
        </message>
        <message>
            <source>Stages</source>
            <translation>段数</translation>
        </message>
        <message>
            <source>Standard deviation</source>
            <translation>标准差</translation>
        </message>
        <message>
            <source>Standard deviation of the blur; or from and to.</source>
            <translation>模糊的标准差；也可写起止值。</translation>
        </message>
        <message>
            <source>Start below the peak by</source>
            <translation>起点低于峰值</translation>
        </message>
        <message>
            <source>Start from weights</source>
            <translation>从权重开始</translation>
        </message>
        <message>
            <source>Starts at</source>
            <translation>起点</translation>
        </message>
        <message>
            <source>Steps</source>
            <translation>步骤</translation>
        </message>
        <message>
            <source>Steps down</source>
            <translation>逐级下降</translation>
        </message>
        <message>
            <source>Steps down at chosen times</source>
            <translation>在指定时刻下降</translation>
        </message>
        <message>
            <source>Steps in proportion to the weights, with hardly any memory beside large matrices.</source>
            <translation>步长与权重成比例；大矩阵几乎不需额外内存。</translation>
        </message>
        <message>
            <source>Steps of one size, in the direction of the sign; half of Adam&apos;s memory. Wants a third to a tenth of its learning rate.</source>
            <translation>步长相同，只取符号方向；内存是 Adam 的一半。学习率宜为其三分之一到十分之一。</translation>
        </message>
        <message>
            <source>Steps shrink with all gradients so far; for rare features.</source>
            <translation>步长随至今的全部梯度缩小；适合稀少的特征。</translation>
        </message>
        <message>
            <source>Stochastic depth</source>
            <translation>随机深度</translation>
        </message>
        <message>
            <source>Stochastic gradient descent with momentum; the classic for convolutional networks.</source>
            <translation>带动量的随机梯度下降；卷积网络的经典选择。</translation>
        </message>
        <message>
            <source>Stop when it no longer improves</source>
            <translation>不再改进时停止</translation>
        </message>
        <message>
            <source>Straight</source>
            <translation>直线</translation>
        </message>
        <message>
            <source>Strength</source>
            <translation>强度</translation>
        </message>
        <message>
            <source>Stretches each channel from black to white.</source>
            <translation>把每个通道拉伸到从黑到白。</translation>
        </message>
        <message>
            <source>Subtracts a mean and divides by a standard deviation, per channel; always done last.</source>
            <translation>每个通道减均值、除以标准差；总在最后进行。</translation>
        </message>
        <message>
            <source>Swin tiny</source>
            <translation>Swin tiny</translation>
        </message>
        <message>
            <source>TFRecord files</source>
            <translation>TFRecord 文件</translation>
        </message>
        <message>
            <source>Tab</source>
            <translation>制表符</translation>
        </message>
        <message>
            <source>Table</source>
            <translation>表格</translation>
        </message>
        <message>
            <source>Taken within a minute</source>
            <translation>一分钟内拍摄</translation>
        </message>
        <message>
            <source>Takes the colour away.</source>
            <translation>去掉颜色。</translation>
        </message>
        <message>
            <source>Tall matrices more</source>
            <translation>高矩阵加大</translation>
        </message>
        <message>
            <source>Tar archive of class folders</source>
            <translation>按类分文件夹的 Tar 归档</translation>
        </message>
        <message>
            <source>TensorFlow&apos;s files of tf.Example records: an encoded picture and a class number each.</source>
            <translation>TensorFlow 的 tf.Example 记录文件：每条一张编码图片和一个类别编号。</translation>
        </message>
        <message>
            <source>Text</source>
            <translation>文本</translation>
        </message>
        <message>
            <source>The binary version: data_batch_1.bin to data_batch_5.bin and test_batch.bin.</source>
            <translation>二进制版本：data_batch_1.bin 到 data_batch_5.bin 和 test_batch.bin。</translation>
        </message>
        <message>
            <source>The binary version: train.bin and test.bin, with the hundred fine labels.</source>
            <translation>二进制版本：train.bin 和 test.bin，含一百个细类标签。</translation>
        </message>
        <message>
            <source>The blocks with which the second and later stages begin; empty: stages of equal cost.</source>
            <translation>第二段及以后各段从哪个块开始；留空：各段开销相等。</translation>
        </message>
        <message>
            <source>The column that is learned from the others. Empty: the last.</source>
            <translation>由其他列学出的那一列。留空：最后一列。</translation>
        </message>
        <message>
            <source>The column with the pictures&apos; file names. Empty: the first.</source>
            <translation>存放图片文件名的列。留空：第一列。</translation>
        </message>
        <message>
            <source>The data set it was learned on; take the one most like yours.</source>
            <translation>学到策略的数据集；选与你的最像的。</translation>
        </message>
        <message>
            <source>The factor of each drop: 0.1 leaves a tenth.</source>
            <translation>每次下降的系数：0.1 表示剩十分之一。</translation>
        </message>
        <message>
            <source>The first rate is the peak divided by this.</source>
            <translation>最初的学习率是峰值除以它。</translation>
        </message>
        <message>
            <source>The folder right above the picture.</source>
            <translation>图片的上一级文件夹。</translation>
        </message>
        <message>
            <source>The labels are whole numbers from 0 to one less than this, and any other is an error. Empty: the labels that are there.</source>
            <translation>标签是从 0 到该数减一的整数，其他都算错。留空：以现有标签为准。</translation>
        </message>
        <message>
            <source>The last rate is the first divided by this.</source>
            <translation>最后的学习率是最初的除以它。</translation>
        </message>
        <message>
            <source>The learning rate does not fall below this.</source>
            <translation>学习率不会低于这个值。</translation>
        </message>
        <message>
            <source>The longer side gets no longer than this; the shorter one gives way. Empty: no limit.</source>
            <translation>长边不超过这个值，短边让步。留空：不限。</translation>
        </message>
        <message>
            <source>The loss is multiplied by this, so that small gradients survive.</source>
            <translation>损失乘以它，使小梯度不至于消失。</translation>
        </message>
        <message>
            <source>The nearest pixel: quick, hard edges.</source>
            <translation>取最近的像素：快，边缘生硬。</translation>
        </message>
        <message>
            <source>The network is cut into stages, one on each device, and parts of a batch pass through them one after another: for networks that do not fit on one device.</source>
            <translation>网络切成若干段，每个设备一段，一批数据分成几份依次通过：适合一个设备放不下的网络。</translation>
        </message>
        <message>
            <source>The peak. Empty: the optimizer&apos;s learning rate.</source>
            <translation>峰值。留空：优化器的学习率。</translation>
        </message>
        <message>
            <source>The rate is divided by 1 plus this times the updates done.</source>
            <translation>学习率除以 1 加上此值与已做更新次数之积。</translation>
        </message>
        <message>
            <source>The same learning rate from the end of the warm-up to the end of the training.</source>
            <translation>从预热结束到训练结束，学习率不变。</translation>
        </message>
        <message>
            <source>The same learning rate suits both parts.</source>
            <translation>同一学习率适合两部分。</translation>
        </message>
        <message>
            <source>The same seed gives the same split, order, augmentation and initial weights.</source>
            <translation>种子相同，则划分、顺序、增强和初始权重都相同。</translation>
        </message>
        <message>
            <source>The scale is multiplied by this after growth_interval updates without infinities.</source>
            <translation>连续 growth_interval 次更新没有无穷大后，缩放乘以它。</translation>
        </message>
        <message>
            <source>The scale is multiplied by this when a gradient is not finite.</source>
            <translation>梯度不是有限数值时，缩放乘以它。</translation>
        </message>
        <message>
            <source>The schedule moves once an epoch.</source>
            <translation>每轮变化一次。</translation>
        </message>
        <message>
            <source>The schedule moves with every update.</source>
            <translation>每步更新都变化。</translation>
        </message>
        <message>
            <source>The share of attention weights that are zeroed at random in training; slower than without.</source>
            <translation>训练时随机置零的注意力权重比例；比不用时慢。</translation>
        </message>
        <message>
            <source>The share of step t in the average is t to this power.</source>
            <translation>第 t 步在平均中的比例是 t 的此次幂。</translation>
        </message>
        <message>
            <source>The share of values that are zeroed at random in training; guards against memorising.</source>
            <translation>训练时随机置零的数值比例；防止死记。</translation>
        </message>
        <message>
            <source>The smallest root of the squared gradient, and of the weights&apos; size.</source>
            <translation>梯度平方根与权重大小的下限。</translation>
        </message>
        <message>
            <source>The steps, in order.</source>
            <translation>按顺序的步骤。</translation>
        </message>
        <message>
            <source>The whole network on one device.</source>
            <translation>整个网络放在一个设备上。</translation>
        </message>
        <message>
            <source>These stay as they are.</source>
            <translation>它们保持不变。</translation>
        </message>
        <message>
            <source>Threads</source>
            <translation>线程</translation>
        </message>
        <message>
            <source>Threads for arithmetic when training on the CPU.</source>
            <translation>在 CPU 上训练时的计算线程数。</translation>
        </message>
        <message>
            <source>Threads that prepare pictures; automatic leaves a core to training.</source>
            <translation>准备图片的线程；自动会给训练留一个核心。</translation>
        </message>
        <message>
            <source>Three convolutions with batch norm; fast on a CPU, good for small pictures.</source>
            <translation>三层带批归一化的卷积；在 CPU 上很快，适合小图片。</translation>
        </message>
        <message>
            <source>Three phases</source>
            <translation>三段</translation>
        </message>
        <message>
            <source>Tilts the picture, as if seen from aside.</source>
            <translation>倾斜画面，像从侧面看。</translation>
        </message>
        <message>
            <source>Time</source>
            <translation>时刻</translation>
        </message>
        <message>
            <source>Time scale</source>
            <translation>时间尺度</translation>
        </message>
        <message>
            <source>Times the learning rate of all others.</source>
            <translation>相对其他参数学习率的倍数。</translation>
        </message>
        <message>
            <source>TorchScript module</source>
            <translation>TorchScript 模块</translation>
        </message>
        <message>
            <source>Training</source>
            <translation>训练</translation>
        </message>
        <message>
            <source>TrivialAugment</source>
            <translation>TrivialAugment</translation>
        </message>
        <message>
            <source>Turned by up to this either way; or from and to, counter-clockwise.</source>
            <translation>向两边最多转这么多；也可写起止值，逆时针为正。</translation>
        </message>
        <message>
            <source>Turns the picture by a random angle.</source>
            <translation>随机转一个角度。</translation>
        </message>
        <message>
            <source>Turns the picture into its negative.</source>
            <translation>变成负片。</translation>
        </message>
        <message>
            <source>Turns, shifts, scales and shears the picture at random.</source>
            <translation>随机旋转、平移、缩放和错切。</translation>
        </message>
        <message>
            <source>Two operations drawn from a policy that was learned on a well-known data set.</source>
            <translation>从在知名数据集上学到的策略中抽取两种操作。</translation>
        </message>
        <message>
            <source>Units after which it drops; a time named twice drops twice.</source>
            <translation>过多少单位后下降；写两次则降两次。</translation>
        </message>
        <message>
            <source>Units of each hidden layer.</source>
            <translation>每个隐藏层的单元数。</translation>
        </message>
        <message>
            <source>Units until the first restart.</source>
            <translation>到第一次重启的单位数。</translation>
        </message>
        <message>
            <source>Units until the last share. Empty: all of the training after the warm-up.</source>
            <translation>到最后比例的单位数。留空：预热之后的全部训练。</translation>
        </message>
        <message>
            <source>Units until the lowest rate. Empty: all of the training after the warm-up.</source>
            <translation>到最低学习率的单位数。留空：预热之后的全部训练。</translation>
        </message>
        <message>
            <source>Units until the rate has fallen to 0.7 of itself. Empty: as long as the warm-up, or 10,000 updates without one.</source>
            <translation>学习率降到 0.7 倍所需的单位数。留空：与预热一样长，没有预热则为 10,000 步。</translation>
        </message>
        <message>
            <source>Units until the rate is 0. Empty: all of the training after the warm-up.</source>
            <translation>学习率到 0 的单位数。留空：预热之后的全部训练。</translation>
        </message>
        <message>
            <source>Updates</source>
            <translation>步</translation>
        </message>
        <message>
            <source>Updates between two points of the curves.</source>
            <translation>曲线上两点之间的更新步数。</translation>
        </message>
        <message>
            <source>Updates in a row whose loss is not finite, before training stops.</source>
            <translation>损失连续多少次更新不是有限数值后停止训练。</translation>
        </message>
        <message>
            <source>Updates larger than this, on average, are scaled down.</source>
            <translation>平均大于此值的更新会被缩小。</translation>
        </message>
        <message>
            <source>Updates of the whole cycle, whatever the unit. Empty: all of the training after the warm-up.</source>
            <translation>整个周期的更新步数，与单位无关。留空：预热之后的全部训练。</translation>
        </message>
        <message>
            <source>VGG-11</source>
            <translation>VGG-11</translation>
        </message>
        <message>
            <source>VGG-16</source>
            <translation>VGG-16</translation>
        </message>
        <message>
            <source>Validation loss</source>
            <translation>验证损失</translation>
        </message>
        <message>
            <source>ViT base</source>
            <translation>ViT base</translation>
        </message>
        <message>
            <source>ViT small</source>
            <translation>ViT small</translation>
        </message>
        <message>
            <source>ViT tiny</source>
            <translation>ViT tiny</translation>
        </message>
        <message>
            <source>Warm-up</source>
            <translation>预热</translation>
        </message>
        <message>
            <source>Watches</source>
            <translation>关注</translation>
        </message>
        <message>
            <source>WebDataset shards</source>
            <translation>WebDataset 分片</translation>
        </message>
        <message>
            <source>Weight</source>
            <translation>权重</translation>
        </message>
        <message>
            <source>Weight decay</source>
            <translation>权重衰减</translation>
        </message>
        <message>
            <source>Weight decay on</source>
            <translation>权重衰减用于</translation>
        </message>
        <message>
            <source>Weight of classes</source>
            <translation>类别权重</translation>
        </message>
        <message>
            <source>Weighting</source>
            <translation>加权方式</translation>
        </message>
        <message>
            <source>Weights</source>
            <translation>权重</translation>
        </message>
        <message>
            <source>Weights only</source>
            <translation>仅权重</translation>
        </message>
        <message>
            <source>What counts as an improvement, in units of the value that checkpoints are the best by.</source>
            <translation>多大才算改进，单位同评选最佳检查点的指标。</translation>
        </message>
        <message>
            <source>What file names in the table start from. Empty: the table&apos;s own folder.</source>
            <translation>表中文件名的起始位置。留空：表格所在文件夹。</translation>
        </message>
        <message>
            <source>What group_pattern finds in the file&apos;s name.</source>
            <translation>group_pattern 在文件名中找到的部分。</translation>
        </message>
        <message>
            <source>What is learned: one column of classes or numbers, or several of numbers or of 0 and 1. Empty: &quot;label&quot;, else the second.</source>
            <translation>要学的内容：一列类别或数字，或多列数字或 0 与 1。留空：&quot;label&quot; 列，没有则第二列。</translation>
        </message>
        <message>
            <source>What keeps the values in range between layers.</source>
            <translation>让各层之间的数值保持在合适范围。</translation>
        </message>
        <message>
            <source>What makes a checkpoint the best; where the data has no such value, the validation loss.</source>
            <translation>按什么评选最佳检查点；数据没有该指标时用验证损失。</translation>
        </message>
        <message>
            <source>What stands between several labels in one cell, such as a blank or |. Empty: a cell holds one label.</source>
            <translation>一格中多个标签之间的符号，如空格或 |。留空：一格一个标签。</translation>
        </message>
        <message>
            <source>What stands between two values of a row; automatic looks at the first rows.</source>
            <translation>一行中两个值之间的符号；自动则看前几行。</translation>
        </message>
        <message>
            <source>What the border is made of.</source>
            <translation>边框用什么填。</translation>
        </message>
        <message>
            <source>What the devices exchange.</source>
            <translation>设备之间交换的内容。</translation>
        </message>
        <message>
            <source>What the network gets; automatic takes what the pictures have.</source>
            <translation>网络看到的颜色；自动则与图片相同。</translation>
        </message>
        <message>
            <source>What torch.jit.script(model).save(…) wrote.</source>
            <translation>torch.jit.script(model).save(…) 写出的文件。</translation>
        </message>
        <message>
            <source>What warm-up and the schedule&apos;s lengths count.</source>
            <translation>预热与调度长度的单位。</translation>
        </message>
        <message>
            <source>When progress stalls</source>
            <translation>停滞时下降</translation>
        </message>
        <message>
            <source>Where the data is: a folder, an archive or a table. Nothing there is ever changed.</source>
            <translation>数据所在位置：文件夹、压缩包或表格。那里的文件从不改动。</translation>
        </message>
        <message>
            <source>Where the sum of squared gradients starts.</source>
            <translation>梯度平方和的起点。</translation>
        </message>
        <message>
            <source>Where to train: &quot;cpu&quot;, &quot;cuda:0&quot;, …; automatic (&quot;auto&quot;) takes the first GPU, else the CPU. &quot;cpu&quot; may stand there several times.</source>
            <translation>在哪里训练：&quot;cpu&quot;、&quot;cuda:0&quot; 等；自动（&quot;auto&quot;）选第一块 GPU，没有则用 CPU。&quot;cpu&quot; 可以写多次。</translation>
        </message>
        <message>
            <source>Whether rare classes are shown more often.</source>
            <translation>是否更常出现少见的类别。</translation>
        </message>
        <message>
            <source>Which value of the evaluation must improve.</source>
            <translation>评估的哪个值须变好。</translation>
        </message>
        <message>
            <source>Wide ResNet-50-2</source>
            <translation>Wide ResNet-50-2</translation>
        </message>
        <message>
            <source>Width</source>
            <translation>宽度</translation>
        </message>
        <message>
            <source>Width and height</source>
            <translation>宽和高</translation>
        </message>
        <message>
            <source>Window</source>
            <translation>窗口</translation>
        </message>
        <message>
            <source>Within each picture, so that it does not matter how many are computed at a time; for very small batches and several devices.</source>
            <translation>在每张图片内部计算，与一次算多少张无关；适合很小的批量和多台设备。</translation>
        </message>
        <message>
            <source>Yes</source>
            <translation>是</translation>
        </message>
        <message>
            <source>Zip archive of class folders</source>
            <translation>按类分文件夹的 Zip 压缩包</translation>
        </message>
        <message>
            <source>bf16</source>
            <translation>bf16</translation>
        </message>
        <message>
            <source>bits</source>
            <translation>位</translation>
        </message>
        <message>
            <source>epochs</source>
            <translation>轮</translation>
        </message>
        <message>
            <source>evaluations</source>
            <translation>次评估</translation>
        </message>
        <message>
            <source>fp16</source>
            <translation>fp16</translation>
        </message>
        <message>
            <source>fp32</source>
            <translation>fp32</translation>
        </message>
        <message>
            <source>megapixels</source>
            <translation>百万像素</translation>
        </message>
        <message>
            <source>pixels</source>
            <translation>像素</translation>
        </message>
        <message>
            <source>tf32</source>
            <translation>tf32</translation>
        </message>
        <message>
            <source>tokens</source>
            <translation>词元</translation>
        </message>
        <message>
            <source>units</source>
            <translation>单元</translation>
        </message>
        <message>
            <source>updates</source>
            <translation>步</translation>
        </message>
        <message>
            <source>°</source>
            <translation>°</translation>
        </message>
        <message>
            <source>s</source>
            <translation>秒</translation>
        </message>
</context>
<context>
        <name>trainyard::ui::BooleanField</name>
        <message>
            <source>On</source>
            <translation>开</translation>
        </message>
        <message>
            <source>Off</source>
            <translation>关</translation>
        </message>
</context>
<context>
        <name>trainyard::ui::ClassModel</name>
        <message>
            <source>Class</source>
            <translation>类别</translation>
        </message>
        <message>
            <source>Pictures</source>
            <translation>图片</translation>
        </message>
        <message>
            <source>Precision</source>
            <translation>精确率</translation>
        </message>
        <message>
            <source>Recall</source>
            <translation>召回率</translation>
        </message>
        <message>
            <source>F1</source>
            <translation>F1</translation>
        </message>
        <message>
            <source>Of those that were named so, how many are.</source>
            <translation>被判为该类的图片中，真正属于该类的比例。</translation>
        </message>
        <message>
            <source>Of those that are, how many were found.</source>
            <translation>属于该类的图片中，被找出的比例。</translation>
        </message>
        <message>
            <source>The harmonic mean of precision and recall.</source>
            <translation>精确率与召回率的调和平均。</translation>
        </message>
</context>
<context>
        <name>trainyard::ui::ComputerPage</name>
        <message>
            <source>Looking…</source>
            <translation>正在查看…</translation>
        </message>
        <message>
            <source>driver %1, CUDA %2</source>
            <translation>驱动 %1，CUDA %2</translation>
        </message>
        <message>
            <source>%1 of %2</source>
            <translation>%1 / %2</translation>
        </message>
        <message>
            <source>%1 % busy</source>
            <translation>占用 %1 %</translation>
        </message>
        <message>
            <source>%1 °C</source>
            <translation>%1 °C</translation>
        </message>
        <message>
            <source>%1 W</source>
            <translation>%1 W</translation>
        </message>
        <message>
            <source>%1 GB/s</source>
            <translation>%1 GB/s</translation>
        </message>
        <message>
            <source>GPU %1: %2</source>
            <translation>GPU %1：%2</translation>
        </message>
        <message>
            <source>%1 holds %2 (process %3)</source>
            <translation>%1 占用 %2（进程 %3）</translation>
        </message>
        <message numerus="yes">
            <source>%n core(s)</source>
            <translation>
                <numerusform>%n 核</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n thread(s)</source>
            <translation>
                <numerusform>%n 线程</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n socket(s)</source>
            <translation>
                <numerusform>%n 路</numerusform>
            </translation>
        </message>
        <message>
            <source>up to %1 GHz</source>
            <translation>最高 %1 GHz</translation>
        </message>
        <message>
            <source>%1 cache</source>
            <translation>缓存 %1</translation>
        </message>
        <message>
            <source>Instruction sets: %1</source>
            <translation>指令集：%1</translation>
        </message>
        <message>
            <source>Allowed to this session</source>
            <translation>本会话可用</translation>
        </message>
        <message>
            <source>Memory in use</source>
            <translation>已用内存</translation>
        </message>
        <message>
            <source>hard disk</source>
            <translation>机械硬盘</translation>
        </message>
        <message>
            <source>network</source>
            <translation>网络</translation>
        </message>
        <message>
            <source>unknown kind</source>
            <translation>类型未知</translation>
        </message>
        <message>
            <source>%1 · %2 free of %3</source>
            <translation>%1 · 剩 %2，共 %3</translation>
        </message>
        <message>
            <source>This computer</source>
            <translation>这台电脑</translation>
        </message>
        <message>
            <source>GPUs</source>
            <translation>GPU</translation>
        </message>
        <message>
            <source>Processor</source>
            <translation>处理器</translation>
        </message>
        <message>
            <source>Memory</source>
            <translation>内存</translation>
        </message>
        <message>
            <source>Disks</source>
            <translation>磁盘</translation>
        </message>
</context>
<context>
        <name>trainyard::ui::ConfusionView</name>
        <message>
            <source>true ↓</source>
            <translation>实际 ↓</translation>
        </message>
        <message>
            <source>answered →</source>
            <translation>判为 →</translation>
        </message>
        <message>
            <source>%1: %2 of %3 right (%4)</source>
            <translation>%1：%3 张中 %2 张正确(%4)</translation>
        </message>
        <message>
            <source>%1 taken for %5: %2 of %3 (%4)</source>
            <translation>%1 被当作 %5：%3 张中 %2 张(%4)</translation>
        </message>
</context>
<context>
        <name>trainyard::ui::CurvesView</name>
        <message>
            <source>best</source>
            <translation>最佳</translation>
        </message>
        <message>
            <source>paused</source>
            <translation>已暂停</translation>
        </message>
        <message>
            <source>resumed</source>
            <translation>已继续</translation>
        </message>
        <message>
            <source>not finite</source>
            <translation>非有限值</translation>
        </message>
        <message>
            <source>training</source>
            <translation>训练</translation>
        </message>
        <message>
            <source>validation</source>
            <translation>验证</translation>
        </message>
        <message>
            <source>learning rate</source>
            <translation>学习率</translation>
        </message>
        <message>
            <source>planned</source>
            <translation>计划</translation>
        </message>
        <message>
            <source>pictures/s</source>
            <translation>张/秒</translation>
        </message>
        <message>
            <source>lost to waiting for data</source>
            <translation>等数据损失的</translation>
        </message>
        <message>
            <source>gradient norm</source>
            <translation>梯度范数</translation>
        </message>
        <message>
            <source>Smoothing %1 updates</source>
            <translation>平滑 %1 步</translation>
        </message>
        <message>
            <source>No smoothing</source>
            <translation>不平滑</translation>
        </message>
        <message>
            <source>Updates</source>
            <translation>更新</translation>
        </message>
        <message>
            <source>Epochs</source>
            <translation>轮数</translation>
        </message>
        <message>
            <source>Time</source>
            <translation>时间</translation>
        </message>
        <message>
            <source>Linear</source>
            <translation>线性</translation>
        </message>
        <message>
            <source>Log</source>
            <translation>对数</translation>
        </message>
        <message>
            <source>Fit</source>
            <translation>适应</translation>
        </message>
        <message>
            <source>Follow</source>
            <translation>跟随</translation>
        </message>
        <message>
            <source>Loss</source>
            <translation>损失</translation>
        </message>
        <message>
            <source>Learning rate</source>
            <translation>学习率</translation>
        </message>
        <message>
            <source>Memory</source>
            <translation>内存</translation>
        </message>
        <message>
            <source>Gradient</source>
            <translation>梯度</translation>
        </message>
        <message>
            <source>Strength of the smoothed line: [ weaker, ] stronger</source>
            <translation>平滑线的强度：[ 减弱，] 加强</translation>
        </message>
        <message>
            <source>Along the axis: updates, epochs or time (X)</source>
            <translation>横轴：更新、轮数或时间（X）</translation>
        </message>
        <message>
            <source>Logarithmic scale (L)</source>
            <translation>对数坐标（L）</translation>
        </message>
        <message>
            <source>Keep the newest updates in view (End), or show everything (F)</source>
            <translation>始终显示最新的更新（End），或显示全部（F）</translation>
        </message>
        <message numerus="yes">
            <source>%n update(s) skipped</source>
            <translation>
                <numerusform>跳过 %n 次更新</numerusform>
            </translation>
        </message>
        <message>
            <source>averaged weights</source>
            <translation>平均权重</translation>
        </message>
        <message>
            <source>loss scale</source>
            <translation>损失缩放</translation>
        </message>
        <message>
            <source>Loss scale</source>
            <translation>损失缩放</translation>
        </message>
        <message>
            <source>Speed</source>
            <translation>速度</translation>
        </message>
        <message>
            <source>Use</source>
            <translation>利用率</translation>
        </message>
</context>
<context>
        <name>trainyard::ui::DataPage</name>
        <message>
            <source>Classes</source>
            <translation>类别</translation>
        </message>
        <message>
            <source>Leave the class “%1” out</source>
            <translation>排除类别“%1”</translation>
        </message>
        <message>
            <source>Every picture is being looked at once. No file is changed.</source>
            <translation>正在逐张查看图片，不会改动任何文件。</translation>
        </message>
        <message>
            <source>Stopped at %1 of %2. “Scan again” goes on from there.</source>
            <translation>已停在 %1 / %2。“重新扫描”会从那里继续。</translation>
        </message>
        <message>
            <source>Format</source>
            <translation>格式</translation>
        </message>
</context>
<context>
        <name>trainyard::ui::DevicesCard</name>
        <message>
            <source>Devices</source>
            <translation>设备</translation>
        </message>
        <message>
            <source>Their memory and use appear while the run trains.</source>
            <translation>训练时会显示它们的内存和占用。</translation>
        </message>
        <message>
            <source>Memory in use</source>
            <translation>已用内存</translation>
        </message>
        <message>
            <source>%1 W</source>
            <translation>%1 W</translation>
        </message>
</context>
<context>
        <name>trainyard::ui::DropZone</name>
        <message>
            <source>Folder with pictures</source>
            <translation>图片文件夹</translation>
        </message>
        <message>
            <source>Drop a folder of pictures here</source>
            <translation>把图片文件夹拖到这里</translation>
        </message>
        <message>
            <source>One folder for each kind of picture. Nothing in it is changed.</source>
            <translation>每类图片一个文件夹。里面的文件不会改动。</translation>
        </message>
        <message>
            <source>Choose folder…</source>
            <translation>选择文件夹…</translation>
        </message>
        <message>
            <source>picture</source>
            <translation>图片</translation>
        </message>
        <message>
            <source>daisies</source>
            <translation>雏菊</translation>
        </message>
        <message>
            <source>roses</source>
            <translation>玫瑰</translation>
        </message>
        <message>
            <source>flowers</source>
            <translation>花</translation>
        </message>
</context>
<context>
        <name>trainyard::ui::EngineCall</name>
        <message>
            <source>The training program could not be started: %1.</source>
            <translation>训练程序无法启动：%1。</translation>
        </message>
        <message>
            <source>Install the program again, or set TRAINYARD_ENGINE to where it is.</source>
            <translation>请重新安装本程序，或用 TRAINYARD_ENGINE 指出它的位置。</translation>
        </message>
</context>
<context>
        <name>trainyard::ui::EngineLink</name>
        <message>
            <source>Install the program again, or set TRAINYARD_ENGINE to where it is.</source>
            <translation>请重新安装本程序，或用 TRAINYARD_ENGINE 指出它的位置。</translation>
        </message>
        <message>
            <source>The training program could not be started: %1.</source>
            <translation>训练程序无法启动：%1。</translation>
        </message>
</context>
<context>
        <name>trainyard::ui::ExclusionsCard</name>
        <message>
            <source>Class “%1”</source>
            <translation>类别“%1”</translation>
        </message>
        <message numerus="yes">
            <source>%Ln picture(s)</source>
            <translation>
                <numerusform>%Ln 张图片</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln class(es)</source>
            <translation>
                <numerusform>%Ln 个类别</numerusform>
            </translation>
        </message>
        <message>
            <source>%1 left out of this recipe. The files are untouched.</source>
            <translation>此配方排除了 %1。文件没有改动。</translation>
        </message>
        <message>
            <source> and </source>
            <translation>和</translation>
        </message>
        <message>
            <source>Left out</source>
            <translation>已排除</translation>
        </message>
        <message>
            <source>Put back</source>
            <translation>放回</translation>
        </message>
        <message>
            <source>Put all back</source>
            <translation>全部放回</translation>
        </message>
</context>
<context>
        <name>trainyard::ui::FindingsCard</name>
        <message>
            <source>Fix</source>
            <translation>修复</translation>
        </message>
        <message>
            <source>Options</source>
            <translation>选项</translation>
        </message>
        <message>
            <source>Show</source>
            <translation>查看</translation>
        </message>
        <message>
            <source>Leaves the copies out that are held out. The files stay.</source>
            <translation>排除留出部分中的副本。文件保留。</translation>
        </message>
        <message>
            <source>Leave the class out</source>
            <translation>排除这一类</translation>
        </message>
        <message numerus="yes">
            <source>Leave these %n classes out</source>
            <translation>
                <numerusform>排除这 %n 类</numerusform>
            </translation>
        </message>
        <message>
            <source>Show “%1”</source>
            <translation>查看“%1”</translation>
        </message>
        <message>
            <source>Found in the scan</source>
            <translation>扫描发现</translation>
        </message>
</context>
<context>
        <name>trainyard::ui::HomePage</name>
        <message>
            <source>Looking…</source>
            <translation>正在查看…</translation>
        </message>
        <message numerus="yes">
            <source>%n core(s)</source>
            <translation>
                <numerusform>%n 核</numerusform>
            </translation>
        </message>
        <message>
            <source>%1 of memory</source>
            <translation>内存 %1</translation>
        </message>
        <message>
            <source>Home</source>
            <translation>主页</translation>
        </message>
        <message>
            <source>Training now</source>
            <translation>正在训练</translation>
        </message>
        <message>
            <source>Recipes</source>
            <translation>配方</translation>
        </message>
        <message>
            <source>Practice</source>
            <translation>练习</translation>
        </message>
        <message>
            <source>A small network learns to read digits in about a minute.</source>
            <translation>让小网络学认数字，约一分钟。</translation>
        </message>
        <message>
            <source>Start the practice run</source>
            <translation>开始练习</translation>
        </message>
        <message>
            <source>This computer</source>
            <translation>这台电脑</translation>
        </message>
        <message>
            <source>More about it</source>
            <translation>详细情况</translation>
        </message>
        <message>
            <source>epoch %1 of %2</source>
            <translation>第 %1 / %2 轮</translation>
        </message>
        <message>
            <source>best %1</source>
            <translation>最佳 %1</translation>
        </message>
        <message>
            <source>Show</source>
            <translation>查看</translation>
        </message>
        <message>
            <source>its pictures are not there</source>
            <translation>图片不在了</translation>
        </message>
        <message>
            <source>Locate…</source>
            <translation>查找…</translation>
        </message>
        <message>
            <source>Continue</source>
            <translation>继续编辑</translation>
        </message>
        <message>
            <source>Open</source>
            <translation>打开</translation>
        </message>
        <message numerus="yes">
            <source>All %n runs</source>
            <translation>
                <numerusform>全部 %n 次训练</numerusform>
            </translation>
        </message>
        <message>
            <source>not trained yet</source>
            <translation>还没有训练</translation>
        </message>
        <message numerus="yes">
            <source>%n run(s)</source>
            <translation>
                <numerusform>%n 次训练</numerusform>
            </translation>
        </message>
        <message>
            <source>More</source>
            <translation>更多</translation>
        </message>
        <message>
            <source>Duplicate</source>
            <translation>复制一份</translation>
        </message>
        <message>
            <source>Open folder</source>
            <translation>打开文件夹</translation>
        </message>
        <message>
            <source>Move to the bin</source>
            <translation>移到回收站</translation>
        </message>
        <message>
            <source>%1 could not be moved to the bin.</source>
            <translation>%1 无法移到回收站。</translation>
        </message>
</context>
<context>
        <name>trainyard::ui::InputPage</name>
        <message>
            <source>A text goes to the network as it is; there is nothing to see here.</source>
            <translation>文本原样送入网络；这里没有可看的内容。</translation>
        </message>
        <message>
            <source>Edit a chain of its own</source>
            <translation>改用单独的步骤链</translation>
        </message>
        <message>
            <source>Follow the training chain again</source>
            <translation>重新跟随训练的步骤链</translation>
        </message>
        <message>
            <source>Every picture goes through these steps, with new random numbers in each epoch.</source>
            <translation>每张图片都经过这些步骤，每一轮用新的随机数。</translation>
        </message>
        <message>
            <source>There is no step yet: the network gets every picture the same way each time. Some change makes it learn more from few pictures.</source>
            <translation>还没有步骤：网络每次看到的图片都一样。适当变化能让它从少量图片学到更多。</translation>
        </message>
        <message>
            <source>Pictures are evaluated as they are.</source>
            <translation>评估时图片保持原样。</translation>
        </message>
        <message>
            <source>It follows from the training chain: the same sizes, nothing random.</source>
            <translation>由训练的步骤链得出：尺寸相同，没有随机。</translation>
        </message>
        <message>
            <source>Pictures go through these steps when the network is evaluated and used. Nothing random belongs here.</source>
            <translation>评估和使用网络时，图片经过这些步骤。这里不应有随机步骤。</translation>
        </message>
        <message>
            <source>The rows of a table go to the network as numbers; there is nothing to see here.</source>
            <translation>表格的每一行以数字送入网络；这里没有图片可看。</translation>
        </message>
        <message>
            <source>No pictures yet: choose a folder on the Data page.</source>
            <translation>还没有图片：请在“数据”页选择文件夹。</translation>
        </message>
        <message>
            <source>Original, %1 × %2</source>
            <translation>原图，%1 × %2</translation>
        </message>
        <message>
            <source>Original</source>
            <translation>原图</translation>
        </message>
        <message>
            <source>Epoch %1</source>
            <translation>第 %1 轮</translation>
        </message>
        <message>
            <source>As evaluated, %1</source>
            <translation>评估时，%1</translation>
        </message>
        <message>
            <source>seed %1</source>
            <translation>种子 %1</translation>
        </message>
        <message>
            <source>What the network sees</source>
            <translation>网络看到的</translation>
        </message>
        <message>
            <source>Training</source>
            <translation>训练</translation>
        </message>
        <message>
            <source>Evaluation</source>
            <translation>评估</translation>
        </message>
        <message>
            <source>Suggested for photos</source>
            <translation>照片推荐</translation>
        </message>
        <message>
            <source>Suggested for small pictures</source>
            <translation>小图片推荐</translation>
        </message>
        <message>
            <source>New samples</source>
            <translation>换一批样本</translation>
        </message>
        <message>
            <source>The next eight epochs</source>
            <translation>接下来的八轮</translation>
        </message>
        <message>
            <source>The same seed gives the same samples; training uses exactly these.</source>
            <translation>种子相同，样本就相同；训练用的正是这些。</translation>
        </message>
        <message>
            <source>Previous picture</source>
            <translation>上一张</translation>
        </message>
        <message>
            <source>Next picture</source>
            <translation>下一张</translation>
        </message>
        <message>
            <source>Any picture</source>
            <translation>随便一张</translation>
        </message>
        <message>
            <source>Mixup and CutMix act on whole updates: each picture gets a share of the one before it, written below it here.</source>
            <translation>Mixup 和 CutMix 作用于整次更新：每张图片混入前一张的一部分，比例写在图片下面。</translation>
        </message>
        <message>
            <source>%1 from %2</source>
            <translation>%1 来自%2</translation>
        </message>
        <message>
            <source>Let the steps decide the size</source>
            <translation>尺寸由步骤决定</translation>
        </message>
</context>
<context>
        <name>trainyard::ui::LayerCard</name>
        <message>
            <source>Freeze %1</source>
            <translation>冻结 %1</translation>
        </message>
        <message>
            <source>Freeze everything before it</source>
            <translation>冻结它之前的全部</translation>
        </message>
        <message>
            <source>Let it learn</source>
            <translation>让它学习</translation>
        </message>
        <message>
            <source>%1 parameters (%2), %3 multiply-adds a picture</source>
            <translation>%1 个参数(%2)，每张图片 %3 次乘加</translation>
        </message>
        <message>
            <source>%1 of them learn</source>
            <translation>其中 %1 个参与学习</translation>
        </message>
        <message>
            <source>Right-click a layer to freeze it.</source>
            <translation>右键单击某层可将其冻结。</translation>
        </message>
        <message>
            <source>Building the network…</source>
            <translation>正在构建网络…</translation>
        </message>
        <message>
            <source>Layers</source>
            <translation>各层</translation>
        </message>
</context>
<context>
        <name>trainyard::ui::LayerModel</name>
        <message>
            <source>frozen</source>
            <translation>已冻结</translation>
        </message>
        <message>
            <source>Layer</source>
            <translation>层</translation>
        </message>
        <message>
            <source>Kind</source>
            <translation>类型</translation>
        </message>
        <message>
            <source>Output</source>
            <translation>输出</translation>
        </message>
        <message>
            <source>Parameters</source>
            <translation>参数</translation>
        </message>
        <message>
            <source>Multiply-adds</source>
            <translation>乘加次数</translation>
        </message>
        <message>
            <source>Memory</source>
            <translation>内存</translation>
        </message>
        <message>
            <source>What the layer&apos;s output takes, for one picture.</source>
            <translation>该层输出对一张图片所占的内存。</translation>
        </message>
</context>
<context>
        <name>trainyard::ui::LiveDifference</name>
        <message>
            <source>%1: %2 here, %3 there</source>
            <translation>%1：这里 %2，那里 %3</translation>
        </message>
</context>
<context>
        <name>trainyard::ui::MainWindow</name>
        <message>
            <source>Trainyard</source>
            <translation>Trainyard</translation>
        </message>
        <message>
            <source>%1 – Trainyard</source>
            <translation>%1 – Trainyard</translation>
        </message>
        <message numerus="yes">
            <source>Not started: %n value(s) to fix, first “%1”.</source>
            <translation>
                <numerusform>没有开始：有 %n 个值要改，先看“%1”。</numerusform>
            </translation>
        </message>
        <message>
            <source>Close</source>
            <translation>关闭</translation>
        </message>
        <message>
            <source>%1 keeps training.</source>
            <translation>%1 会继续训练。</translation>
        </message>
        <message numerus="yes">
            <source>%n runs keep training.</source>
            <translation>
                <numerusform>%n 个训练会继续。</numerusform>
            </translation>
        </message>
        <message>
            <source>Open the window again at any time to see how it goes.</source>
            <translation>随时可以再打开窗口查看进展。</translation>
        </message>
        <message>
            <source>Close window</source>
            <translation>关闭窗口</translation>
        </message>
        <message>
            <source>Stop training</source>
            <translation>停止训练</translation>
        </message>
        <message>
            <source>Cancel</source>
            <translation>取消</translation>
        </message>
        <message>
            <source>%1 % · %2</source>
            <translation>%1 % · %2</translation>
        </message>
        <message>
            <source>Remove %1</source>
            <translation>删除 %1</translation>
        </message>
        <message>
            <source>Drop it to open the recipe %1.</source>
            <translation>松开即打开配方 %1。</translation>
        </message>
        <message>
            <source>Drop it to make a recipe for the pictures in %1.</source>
            <translation>松开即为 %1 中的图片新建配方。</translation>
        </message>
        <message>
            <source>%1 is not a folder of pictures, not a table, text or archive, and not a recipe.</source>
            <translation>%1 不是图片文件夹，不是表格、文本或压缩包，也不是配方。</translation>
        </message>
</context>
<context>
        <name>trainyard::ui::ModelPage</name>
        <message numerus="yes">
            <source>Your data has %n class(es).</source>
            <translation>
                <numerusform>你的数据有 %n 类。</numerusform>
            </translation>
        </message>
        <message>
            <source>Choose a network</source>
            <translation>选择网络</translation>
        </message>
        <message>
            <source>Its own settings</source>
            <translation>自身的设置</translation>
        </message>
        <message>
            <source>Suits your data</source>
            <translation>适合你的数据</translation>
        </message>
        <message>
            <source>%1 parameters</source>
            <translation>%1 个参数</translation>
        </message>
        <message>
            <source>%1 on ImageNet</source>
            <translation>ImageNet 上 %1</translation>
        </message>
        <message>
            <source>Larger ones are more accurate, slower, and want more data. Where weights are published, a network can begin with what it learned from photos.</source>
            <translation>大的更准、更慢，也需要更多数据。有已发布权重的网络，可以从它在照片上学到的东西开始。</translation>
        </message>
        <message>
            <source>Networks</source>
            <translation>网络</translation>
        </message>
        <message>
            <source>Layers</source>
            <translation>各层</translation>
        </message>
</context>
<context>
        <name>trainyard::ui::NoticeBar</name>
        <message>
            <source>Close</source>
            <translation>关闭</translation>
        </message>
</context>
<context>
        <name>trainyard::ui::NoticesCard</name>
        <message>
            <source>Notices</source>
            <translation>通知</translation>
        </message>
        <message>
            <source>Nothing to report.</source>
            <translation>没有通知。</translation>
        </message>
</context>
<context>
        <name>trainyard::ui::NumberField</name>
        <message>
            <source>none</source>
            <translation>无</translation>
        </message>
</context>
<context>
        <name>trainyard::ui::NumbersCard</name>
        <message>
            <source>Best %1, epoch %2</source>
            <translation>最佳%1，第 %2 轮</translation>
        </message>
        <message>
            <source>Best %1</source>
            <translation>最佳%1</translation>
        </message>
        <message>
            <source>Latest</source>
            <translation>最新</translation>
        </message>
        <message>
            <source>Speed</source>
            <translation>速度</translation>
        </message>
        <message>
            <source>pictures/s</source>
            <translation>张/秒</translation>
        </message>
        <message>
            <source>Left</source>
            <translation>剩余</translation>
        </message>
        <message>
            <source>Trained for</source>
            <translation>已训练</translation>
        </message>
</context>
<context>
        <name>trainyard::ui::ParamForm</name>
        <message>
            <source>Advanced ▴</source>
            <translation>高级 ▴</translation>
        </message>
        <message>
            <source>Advanced ▾</source>
            <translation>高级 ▾</translation>
        </message>
</context>
<context>
        <name>trainyard::ui::ParamRow</name>
        <message>
            <source>Changed. Default: %1</source>
            <translation>已改动。默认值：%1</translation>
        </message>
        <message>
            <source>Reset</source>
            <translation>还原</translation>
        </message>
        <message>
            <source>Reset to %1</source>
            <translation>还原为 %1</translation>
        </message>
        <message>
            <source>Explain</source>
            <translation>说明</translation>
        </message>
        <message>
            <source>Copy key</source>
            <translation>复制键名</translation>
        </message>
        <message>
            <source>Copy as command-line option</source>
            <translation>复制为命令行选项</translation>
        </message>
</context>
<context>
        <name>trainyard::ui::ParameterGroups</name>
        <message>
            <source>Line %1: %2</source>
            <translation>第 %1 行：%2</translation>
        </message>
        <message>
            <source>Groups of parameters</source>
            <translation>参数分组</translation>
        </message>
        <message>
            <source>Other rates for some parts of the network: a lower one for layers that know a lot already. * stands for anything; the last line that matches counts.</source>
            <translation>给网络的某些部分另设学习率：已经学得多的层用较低的。* 代表任意字符；以最后匹配的一行为准。</translation>
        </message>
        <message>
            <source>Add a group</source>
            <translation>添加一组</translation>
        </message>
        <message>
            <source>Remove</source>
            <translation>移除</translation>
        </message>
</context>
<context>
        <name>trainyard::ui::PictureDelegate</name>
        <message>
            <source>validation</source>
            <translation>验证</translation>
        </message>
        <message>
            <source>set aside</source>
            <translation>测试</translation>
        </message>
</context>
<context>
        <name>trainyard::ui::PictureGrid</name>
        <message>
            <source>All classes</source>
            <translation>所有类别</translation>
        </message>
        <message>
            <source>Training</source>
            <translation>训练</translation>
        </message>
        <message>
            <source>Validation</source>
            <translation>验证</translation>
        </message>
        <message>
            <source>Find a file name…</source>
            <translation>查找文件名…</translation>
        </message>
        <message numerus="yes">
            <source>Leave %Ln copy(ies) out</source>
            <translation>
                <numerusform>排除 %Ln 张副本</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Leave %Ln out</source>
            <translation>
                <numerusform>排除 %Ln 张</numerusform>
            </translation>
        </message>
        <message>
            <source>Cut, turned and coloured as training gets them in its first epoch.</source>
            <translation>按训练第一轮的样子裁剪、翻转和调色。</translation>
        </message>
        <message>
            <source>Look at it</source>
            <translation>查看</translation>
        </message>
        <message>
            <source>Leave out</source>
            <translation>排除</translation>
        </message>
        <message>
            <source>Leave the class “%1” out</source>
            <translation>排除类别“%1”</translation>
        </message>
        <message>
            <source>All parts</source>
            <translation>所有部分</translation>
        </message>
        <message>
            <source>Set aside</source>
            <translation>测试</translation>
        </message>
        <message>
            <source>Worth a look</source>
            <translation>值得一看</translation>
        </message>
        <message>
            <source>As the network sees them</source>
            <translation>网络看到的样子</translation>
        </message>
        <message>
            <source>Show all</source>
            <translation>显示全部</translation>
        </message>
</context>
<context>
        <name>trainyard::ui::PictureModel</name>
        <message>
            <source>validation</source>
            <translation>验证</translation>
        </message>
        <message>
            <source>set aside</source>
            <translation>测试</translation>
        </message>
</context>
<context>
        <name>trainyard::ui::PictureView</name>
        <message>
            <source>No picture</source>
            <translation>没有图片</translation>
        </message>
        <message>
            <source>Class</source>
            <translation>类别</translation>
        </message>
        <message>
            <source>Size</source>
            <translation>尺寸</translation>
        </message>
        <message>
            <source>grey</source>
            <translation>灰度</translation>
        </message>
        <message>
            <source>colour</source>
            <translation>彩色</translation>
        </message>
        <message>
            <source>%1 bits</source>
            <translation>%1 位</translation>
        </message>
        <message>
            <source>File</source>
            <translation>文件</translation>
        </message>
        <message>
            <source>The scan says</source>
            <translation>扫描结果</translation>
        </message>
        <message>
            <source>This recipe</source>
            <translation>此配方</translation>
        </message>
        <message>
            <source>Left out. The file is untouched.</source>
            <translation>已排除。文件没有改动。</translation>
        </message>
        <message>
            <source>Back to all pictures  (Esc)</source>
            <translation>返回所有图片  (Esc)</translation>
        </message>
        <message>
            <source>Previous  (←)</source>
            <translation>上一张  (←)</translation>
        </message>
        <message>
            <source>Next  (→)</source>
            <translation>下一张  (→)</translation>
        </message>
        <message>
            <source>Put back</source>
            <translation>放回</translation>
        </message>
        <message>
            <source>Leave out</source>
            <translation>排除</translation>
        </message>
        <message>
            <source>Recorded in the recipe; the file is never touched.</source>
            <translation>记录在配方中；从不改动文件。</translation>
        </message>
        <message>
            <source>Open folder</source>
            <translation>打开文件夹</translation>
        </message>
</context>
<context>
        <name>trainyard::ui::PresetBar</name>
        <message>
            <source>A preset fills in several values at once; each can be changed afterwards, and undone.</source>
            <translation>预设一次填入多个值；之后每个都能再改，也能撤销。</translation>
        </message>
        <message>
            <source>A small network, few epochs, a high rate: to see soon whether it works.</source>
            <translation>小网络、少轮次、高学习率：很快看出行不行。</translation>
        </message>
        <message>
            <source>The usual: a warm-up, then a rate that falls to nothing.</source>
            <translation>常规做法：先预热，然后学习率逐渐降到零。</translation>
        </message>
        <message>
            <source>Fine-tunes a network that has seen a million photos; pictures are mixed, weights averaged. Takes the longest.</source>
            <translation>微调一个见过上百万张照片的网络；混合图片，平均权重。用时最长。</translation>
        </message>
        <message>
            <source>More epochs, pictures mixed, weights averaged. Takes the longest.</source>
            <translation>更多轮次，混合图片，平均权重。用时最长。</translation>
        </message>
        <message>
            <source>Quick</source>
            <translation>快速</translation>
        </message>
        <message>
            <source>Balanced</source>
            <translation>均衡</translation>
        </message>
        <message>
            <source>Best</source>
            <translation>最佳</translation>
        </message>
        <message>
            <source>Custom</source>
            <translation>自定义</translation>
        </message>
        <message>
            <source>How thorough</source>
            <translation>训练力度</translation>
        </message>
</context>
<context>
        <name>trainyard::ui::Rail</name>
        <message>
            <source>Home</source>
            <translation>主页</translation>
        </message>
        <message>
            <source>Data</source>
            <translation>数据</translation>
        </message>
        <message>
            <source>Model</source>
            <translation>模型</translation>
        </message>
        <message>
            <source>Train</source>
            <translation>训练</translation>
        </message>
        <message>
            <source>Runs</source>
            <translation>训练记录</translation>
        </message>
        <message>
            <source>Computer</source>
            <translation>电脑</translation>
        </message>
        <message>
            <source>Settings</source>
            <translation>设置</translation>
        </message>
        <message>
            <source>Input</source>
            <translation>输入</translation>
        </message>
</context>
<context>
        <name>trainyard::ui::RateCard</name>
        <message>
            <source>%1 throughout</source>
            <translation>始终为 %1</translation>
        </message>
        <message>
            <source>highest %1, at the end %2</source>
            <translation>最高 %1，最后 %2</translation>
        </message>
        <message>
            <source>Drawn once every value is fine.</source>
            <translation>所有值都正确后即绘出。</translation>
        </message>
        <message>
            <source>Learning rate</source>
            <translation>学习率</translation>
        </message>
        <message>
            <source>Learning rate over the run</source>
            <translation>全程学习率</translation>
        </message>
</context>
<context>
        <name>trainyard::ui::RateEditor</name>
        <message>
            <source>Apply</source>
            <translation>应用</translation>
        </message>
        <message>
            <source>Learning rate</source>
            <translation>学习率</translation>
        </message>
        <message>
            <source>The learning rate from the next update on. Arrow keys step 1-2-5. The schedule goes on from it. (lr)</source>
            <translation>从下一步起的学习率。方向键按 1-2-5 调整，调度在此基础上继续。（lr）</translation>
        </message>
        <message>
            <source>A number of 0 or more, such as 0.01 or 2e-4.</source>
            <translation>不小于 0 的数，如 0.01 或 2e-4。</translation>
        </message>
</context>
<context>
        <name>trainyard::ui::RateFinder</name>
        <message>
            <source>The recipe has values to fix first: %1</source>
            <translation>配方中有值需要先改正：%1</translation>
        </message>
        <message>
            <source>loss</source>
            <translation>损失</translation>
        </message>
        <message>
            <source>Cancel</source>
            <translation>取消</translation>
        </message>
        <message>
            <source>Try again</source>
            <translation>再试一次</translation>
        </message>
        <message>
            <source>Find a good rate…</source>
            <translation>寻找合适的学习率…</translation>
        </message>
        <message>
            <source>Trains for a moment with a rising rate, on a copy of the network; nothing is kept.</source>
            <translation>在网络的副本上用不断升高的学习率训练片刻；什么都不保留。</translation>
        </message>
        <message>
            <source>Use %1</source>
            <translation>用 %1</translation>
        </message>
        <message>
            <source>Close</source>
            <translation>关闭</translation>
        </message>
        <message>
            <source>Training with a rising rate, to see where the loss falls fastest and where it breaks.</source>
            <translation>正在用不断升高的学习率训练，看损失在哪里降得最快、在哪里崩溃。</translation>
        </message>
        <message>
            <source>The loss falls fastest near %1; far above it, it breaks.</source>
            <translation>损失在 %1 附近降得最快；再高得多就会崩溃。</translation>
        </message>
        <message>
            <source>No rate made the loss fall. More updates per epoch, or other data, may tell more.</source>
            <translation>没有哪个学习率能让损失下降。每轮更多次更新，或换数据，也许能看出更多。</translation>
        </message>
</context>
<context>
        <name>trainyard::ui::RecipeView</name>
        <message>
            <source>Copy</source>
            <translation>复制</translation>
        </message>
</context>
<context>
        <name>trainyard::ui::ResultsTab</name>
        <message>
            <source>%1 of %2 right: %3 ± %4</source>
            <translation>%2 张对 %1 张：%3 ± %4</translation>
        </message>
        <message>
            <source>95 % range %1–%2.</source>
            <translation>95 % 区间 %1–%2。</translation>
        </message>
        <message>
            <source>After epoch %1, step %2.</source>
            <translation>第 %1 轮，第 %2 步之后。</translation>
        </message>
        <message numerus="yes">
            <source>%n evaluation(s)</source>
            <translation>
                <numerusform>%n 次评估</numerusform>
            </translation>
        </message>
        <message>
            <source>With averaged weights.</source>
            <translation>使用平均权重。</translation>
        </message>
        <message>
            <source>No evaluation yet</source>
            <translation>还没有评估</translation>
        </message>
        <message>
            <source>The first one comes at the end of an epoch.</source>
            <translation>第一次在一轮结束时进行。</translation>
        </message>
        <message>
            <source>Pictures, mistakes first</source>
            <translation>图片，错的在前</translation>
        </message>
        <message>
            <source>%1, right</source>
            <translation>%1，正确</translation>
        </message>
        <message>
            <source>%1 taken for %2</source>
            <translation>%1 被当作 %2</translation>
        </message>
        <message numerus="yes">
            <source>None of these is among the pictures kept: the %n with the largest loss.</source>
            <translation>
                <numerusform>这些都不在保留的图片中：只保留损失最大的 %n 张。</numerusform>
            </translation>
        </message>
        <message>
            <source>What is taken for what</source>
            <translation>什么被当作什么</translation>
        </message>
        <message>
            <source>Each class</source>
            <translation>各类别</translation>
        </message>
        <message>
            <source>Evaluations</source>
            <translation>评估</translation>
        </message>
        <message>
            <source>Best</source>
            <translation>最佳</translation>
        </message>
        <message>
            <source>Latest</source>
            <translation>最新</translation>
        </message>
</context>
<context>
        <name>trainyard::ui::ResultsView</name>
        <message>
            <source>Epoch</source>
            <translation>轮</translation>
        </message>
        <message>
            <source>Update</source>
            <translation>步</translation>
        </message>
        <message>
            <source>Part</source>
            <translation>部分</translation>
        </message>
        <message>
            <source>Loss</source>
            <translation>损失</translation>
        </message>
        <message>
            <source>Pictures</source>
            <translation>图片</translation>
        </message>
        <message>
            <source>Time</source>
            <translation>时间</translation>
        </message>
        <message>
            <source>test</source>
            <translation>测试</translation>
        </message>
        <message>
            <source>validation</source>
            <translation>验证</translation>
        </message>
        <message>
            <source>averaged weights</source>
            <translation>平均权重</translation>
        </message>
</context>
<context>
        <name>trainyard::ui::RowModel</name>
        <message>
            <source>Target</source>
            <translation>目标</translation>
        </message>
</context>
<context>
        <name>trainyard::ui::RunHeader</name>
        <message>
            <source>Runs</source>
            <translation>训练记录</translation>
        </message>
        <message>
            <source>Stop</source>
            <translation>停止</translation>
        </message>
        <message>
            <source>Finish the update, save a checkpoint, end. It can be resumed later.</source>
            <translation>做完这一步，保存检查点，结束。以后可以继续。</translation>
        </message>
        <message>
            <source>Checkpoint now</source>
            <translation>立即保存检查点</translation>
        </message>
        <message>
            <source>Copy as command</source>
            <translation>复制为命令</translation>
        </message>
        <message>
            <source>Copy problem report</source>
            <translation>复制问题报告</translation>
        </message>
        <message>
            <source>Open folder</source>
            <translation>打开文件夹</translation>
        </message>
        <message>
            <source>More</source>
            <translation>更多</translation>
        </message>
        <message>
            <source>epoch %1 of %2</source>
            <translation>第 %1 / %2 轮</translation>
        </message>
        <message>
            <source>step %1 of %2</source>
            <translation>第 %1 / %2 步</translation>
        </message>
        <message>
            <source>%1 left</source>
            <translation>还剩 %1</translation>
        </message>
        <message>
            <source>done about %1</source>
            <translation>约 %1 完成</translation>
        </message>
        <message>
            <source>Resume</source>
            <translation>继续</translation>
        </message>
        <message>
            <source>Pause</source>
            <translation>暂停</translation>
        </message>
        <message>
            <source>Save and free the memory</source>
            <translation>保存并释放内存</translation>
        </message>
</context>
<context>
        <name>trainyard::ui::RunPage</name>
        <message>
            <source>Log</source>
            <translation>日志</translation>
        </message>
        <message>
            <source>Did not work</source>
            <translation>没有成功</translation>
        </message>
        <message>
            <source>Unreadable</source>
            <translation>无法读取</translation>
        </message>
        <message>
            <source>Curves</source>
            <translation>曲线</translation>
        </message>
        <message>
            <source>Results</source>
            <translation>结果</translation>
        </message>
        <message>
            <source>Recipe</source>
            <translation>配方</translation>
        </message>
        <message>
            <source>Practice: a small network learns to read digits in about a minute. Then try your own pictures.</source>
            <translation>练习：让小网络学认数字，约一分钟。然后试试你自己的图片。</translation>
        </message>
        <message>
            <source>Use my own pictures</source>
            <translation>用我自己的图片</translation>
        </message>
        <message>
            <source>Train longer</source>
            <translation>再训练一段</translation>
        </message>
        <message>
            <source>Epochs in all (so far %1). It goes on where it ended: same weights, optimizer state and order.</source>
            <translation>总轮数(目前 %1)。从结束处继续：权重、优化器状态和数据顺序不变。</translation>
        </message>
        <message>
            <source>Continue</source>
            <translation>继续</translation>
        </message>
        <message>
            <source>Try it</source>
            <translation>试一试</translation>
        </message>
</context>
<context>
        <name>trainyard::ui::RunsModel</name>
        <message>
            <source>Ended unexpectedly</source>
            <translation>意外结束</translation>
        </message>
        <message>
            <source>Queued</source>
            <translation>排队中</translation>
        </message>
        <message>
            <source>Starting</source>
            <translation>正在启动</translation>
        </message>
        <message>
            <source>Training</source>
            <translation>训练中</translation>
        </message>
        <message>
            <source>Paused</source>
            <translation>已暂停</translation>
        </message>
        <message>
            <source>Finished</source>
            <translation>已完成</translation>
        </message>
        <message>
            <source>Failed</source>
            <translation>失败</translation>
        </message>
        <message>
            <source>Stopped</source>
            <translation>已停止</translation>
        </message>
        <message>
            <source>Unreadable</source>
            <translation>无法读取</translation>
        </message>
        <message>
            <source>epoch %1 of %2</source>
            <translation>第 %1 / %2 轮</translation>
        </message>
        <message>
            <source>Name</source>
            <translation>名称</translation>
        </message>
        <message>
            <source>State</source>
            <translation>状态</translation>
        </message>
        <message>
            <source>Model</source>
            <translation>模型</translation>
        </message>
        <message>
            <source>Progress</source>
            <translation>进度</translation>
        </message>
        <message>
            <source>Best</source>
            <translation>最佳</translation>
        </message>
        <message>
            <source>Last loss</source>
            <translation>最后损失</translation>
        </message>
        <message>
            <source>Started</source>
            <translation>开始时间</translation>
        </message>
        <message>
            <source>Duration</source>
            <translation>用时</translation>
        </message>
</context>
<context>
        <name>trainyard::ui::RunsPage</name>
        <message>
            <source>Runs</source>
            <translation>训练记录</translation>
        </message>
        <message>
            <source>Check runs to lay their curves over one another. A double click opens one.</source>
            <translation>勾选训练可叠放曲线，双击打开。</translation>
        </message>
        <message>
            <source>Filter</source>
            <translation>筛选</translation>
        </message>
        <message>
            <source>Nothing trained yet</source>
            <translation>还没有训练过</translation>
        </message>
        <message>
            <source>Every training you start appears here, with its curves and results.</source>
            <translation>你开始的每次训练都会出现在这里，连同曲线和结果。</translation>
        </message>
        <message>
            <source>Go to Home</source>
            <translation>去主页</translation>
        </message>
        <message>
            <source>Loss</source>
            <translation>损失</translation>
        </message>
        <message>
            <source>Main metric</source>
            <translation>主要指标</translation>
        </message>
</context>
<context>
        <name>trainyard::ui::SampleDelegate</name>
        <message>
            <source>not %1</source>
            <translation>不是 %1</translation>
        </message>
</context>
<context>
        <name>trainyard::ui::SampleModel</name>
        <message>
            <source>%1, not %2</source>
            <translation>%1，不是 %2</translation>
        </message>
        <message>
            <source>Labelled: %1</source>
            <translation>标注为：%1</translation>
        </message>
</context>
<context>
        <name>trainyard::ui::SettingsPage</name>
        <message>
            <source>Folder for runs</source>
            <translation>训练的文件夹</translation>
        </message>
        <message>
            <source>Settings</source>
            <translation>设置</translation>
        </message>
        <message>
            <source>Looks</source>
            <translation>外观</translation>
        </message>
        <message>
            <source>Folders</source>
            <translation>文件夹</translation>
        </message>
        <message>
            <source>About</source>
            <translation>关于</translation>
        </message>
        <message>
            <source>System</source>
            <translation>跟随系统</translation>
        </message>
        <message>
            <source>Light</source>
            <translation>浅色</translation>
        </message>
        <message>
            <source>Dark</source>
            <translation>深色</translation>
        </message>
        <message>
            <source>Language</source>
            <translation>语言</translation>
        </message>
        <message>
            <source>Theme</source>
            <translation>主题</translation>
        </message>
        <message>
            <source>System follows the desktop&apos;s colour scheme.</source>
            <translation>“跟随系统”使用桌面的配色。</translation>
        </message>
        <message>
            <source>Runs</source>
            <translation>训练记录</translation>
        </message>
        <message>
            <source>New runs are stored here. Runs that are already going stay where they are.</source>
            <translation>新的训练存放在这里。正在进行的训练不会移动。</translation>
        </message>
        <message>
            <source>Recipes</source>
            <translation>配方</translation>
        </message>
        <message>
            <source>Recipes are saved here by themselves.</source>
            <translation>配方会自动保存在这里。</translation>
        </message>
        <message>
            <source>Choose…</source>
            <translation>选择…</translation>
        </message>
        <message>
            <source>Use the usual place</source>
            <translation>用默认位置</translation>
        </message>
        <message>
            <source>Open folder</source>
            <translation>打开文件夹</translation>
        </message>
        <message>
            <source>Trainyard %1. Free software under the GNU General Public License, version 3 or later.
Built on Qt, LibTorch, OpenCV and QCustomPlot. The practice digits: Alpaydin and Kaynak, UCI Machine Learning Repository, CC BY 4.0.</source>
            <translation>Trainyard %1。自由软件，采用 GNU 通用公共许可证第 3 版或更新版本。
基于 Qt、LibTorch、OpenCV 和 QCustomPlot。练习用数字：Alpaydin 与 Kaynak，UCI Machine Learning Repository，CC BY 4.0。</translation>
        </message>
</context>
<context>
        <name>trainyard::ui::SourceCard</name>
        <message numerus="yes">
            <source>%Ln window(s) of text</source>
            <translation><numerusform>%Ln 个文本窗口</numerusform></translation>
        </message>
        <message>
            <source>Table or archive of pictures</source>
            <translation>表格或图片压缩包</translation>
        </message>
        <message>
            <source>Folder with pictures</source>
            <translation>图片文件夹</translation>
        </message>
        <message>
            <source>Reading…</source>
            <translation>正在读取…</translation>
        </message>
        <message numerus="yes">
            <source>%Ln row(s)</source>
            <translation>
                <numerusform>%Ln 行</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln picture(s)</source>
            <translation>
                <numerusform>%Ln 张图片</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln class(es)</source>
            <translation>
                <numerusform>%Ln 个类别</numerusform>
            </translation>
        </message>
        <message>
            <source>Stop</source>
            <translation>停止</translation>
        </message>
        <message>
            <source>Scan again</source>
            <translation>重新扫描</translation>
        </message>
        <message>
            <source>scanned in %1</source>
            <translation>扫描用时 %1</translation>
        </message>
        <message>
            <source>Looking at %1 of %2</source>
            <translation>正在查看 %1 / %2</translation>
        </message>
        <message>
            <source>%1 left</source>
            <translation>还需 %1</translation>
        </message>
        <message>
            <source>Choose…</source>
            <translation>选择…</translation>
        </message>
        <message>
            <source>Folder…</source>
            <translation>文件夹…</translation>
        </message>
        <message>
            <source>File (table or archive)…</source>
            <translation>文件（表格或压缩包）…</translation>
        </message>
</context>
<context>
        <name>trainyard::ui::SplitCard</name>
        <message>
            <source>%1 to %2</source>
            <translation>%1 至 %2</translation>
        </message>
        <message>
            <source>the first has %1</source>
            <translation>第一张为 %1</translation>
        </message>
        <message>
            <source>mean %1</source>
            <translation>均值 %1</translation>
        </message>
        <message>
            <source>in use</source>
            <translation>已使用</translation>
        </message>
        <message>
            <source>use</source>
            <translation>使用</translation>
        </message>
        <message>
            <source>%1 for training, %2 held out</source>
            <translation>%1 张训练，%2 张留出</translation>
        </message>
        <message>
            <source>%1 for training, %2 held out, %3 set aside</source>
            <translation>%1 张训练，%2 张留出，%3 张留作测试</translation>
        </message>
        <message>
            <source>Split and size</source>
            <translation>划分与尺寸</translation>
        </message>
        <message>
            <source>Sizes</source>
            <translation>尺寸</translation>
        </message>
        <message>
            <source>Normalise with</source>
            <translation>标准化用</translation>
        </message>
        <message>
            <source>Takes mean and standard deviation of these pictures over into the Normalise step.</source>
            <translation>把这些图片的均值和标准差写入“标准化”步骤。</translation>
        </message>
        <message numerus="yes">
            <source>Opened %Ln time(s) so far</source>
            <translation>
                <numerusform>至今打开过 %Ln 次</numerusform>
            </translation>
        </message>
</context>
<context>
        <name>trainyard::ui::StartCard</name>
        <message>
            <source>For this network no weights are published.</source>
            <translation>这个网络没有已发布的权重。</translation>
        </message>
        <message>
            <source>Learned on ImageNet&apos;s 1.3 million photos of 1,000 kinds: %1 right at the first answer. The last layer is made anew for your classes.</source>
            <translation>在 ImageNet 的 130 万张、1，000 类照片上学得：首个答案正确率 %1。最后一层会按你的类别重新建立。</translation>
        </message>
        <message>
            <source>Already on this computer.</source>
            <translation>已在本机。</translation>
        </message>
        <message>
            <source>Learns from nothing but your pictures.</source>
            <translation>只从你的图片中学习。</translation>
        </message>
        <message>
            <source>Learns from nothing but your pictures. With fewer than some ten thousand, published weights do better.</source>
            <translation>只从你的图片中学习。图片少于一万张左右时，用已发布的权重更好。</translation>
        </message>
        <message>
            <source>A file with the parameters of this network: safetensors, or PyTorch&apos;s .pt or .pth.</source>
            <translation>含有该网络参数的文件：safetensors，或 PyTorch 的 .pt、.pth。</translation>
        </message>
        <message>
            <source>Cancel</source>
            <translation>取消</translation>
        </message>
        <message>
            <source>Download %1</source>
            <translation>下载 %1</translation>
        </message>
        <message>
            <source>From download.pytorch.org, under the BSD 3-clause licence; checked and kept for later runs.</source>
            <translation>来自 download.pytorch.org，BSD 三条款许可；下载后校验并保留，供以后使用。</translation>
        </message>
        <message>
            <source>Starting point</source>
            <translation>起点</translation>
        </message>
        <message>
            <source>Published weights</source>
            <translation>已发布的权重</translation>
        </message>
        <message>
            <source>From scratch</source>
            <translation>从头开始</translation>
        </message>
        <message>
            <source>Own file</source>
            <translation>自己的文件</translation>
        </message>
</context>
<context>
        <name>trainyard::ui::StepList</name>
        <message>
            <source>Inside “%1”</source>
            <translation>在“%1”里面</translation>
        </message>
        <message>
            <source>Add a step</source>
            <translation>添加步骤</translation>
        </message>
</context>
<context>
        <name>trainyard::ui::StepRow</name>
        <message>
            <source>Drag to another place  (Alt+↑, Alt+↓)</source>
            <translation>拖到别处  (Alt+↑, Alt+↓)</translation>
        </message>
        <message>
            <source>On or off  (Space)</source>
            <translation>开或关  (空格)</translation>
        </message>
        <message>
            <source>Take the step out  (Del)</source>
            <translation>去掉这一步  (Del)</translation>
        </message>
        <message>
            <source>Take the step out</source>
            <translation>去掉这一步</translation>
        </message>
</context>
<context>
        <name>trainyard::ui::TextField</name>
        <message>
            <source>Choose…</source>
            <translation>选择…</translation>
        </message>
        <message>
            <source>Weights (*.safetensors)</source>
            <translation>权重（*.safetensors）</translation>
        </message>
</context>
<context>
        <name>trainyard::ui::TopBar</name>
        <message>
            <source>No recipe yet</source>
            <translation>还没有配方</translation>
        </message>
        <message>
            <source>Edited since it was last started. Saved by itself.</source>
            <translation>上次开始后有改动。已自动保存。</translation>
        </message>
        <message numerus="yes">
            <source>%1 is training with other settings: %n difference(s)</source>
            <translation>
                <numerusform>%1 正在用别的设置训练：%n 处不同</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n value(s) to fix: %1</source>
            <translation>
                <numerusform>有 %n 个值要改：%1</numerusform>
            </translation>
        </message>
        <message>
            <source>The data cannot be read</source>
            <translation>数据读不出</translation>
        </message>
        <message>
            <source>Checking</source>
            <translation>正在检查</translation>
        </message>
        <message>
            <source>Ready</source>
            <translation>就绪</translation>
        </message>
        <message>
            <source>Start</source>
            <translation>开始</translation>
        </message>
        <message>
            <source>Train with these settings (Ctrl+Enter)</source>
            <translation>用这些设置训练（Ctrl+Enter）</translation>
        </message>
        <message numerus="yes">
            <source>and %n more</source>
            <translation>
                <numerusform>还有 %n 处</numerusform>
            </translation>
        </message>
        <message>
            <source>Show the run</source>
            <translation>查看这次训练</translation>
        </message>
        <message>
            <source>Use its settings</source>
            <translation>采用它的设置</translation>
        </message>
</context>
<context>
        <name>trainyard::ui::TrainPage</name>
        <message>
            <source>How long</source>
            <translation>练多久</translation>
        </message>
        <message>
            <source>How fast it learns</source>
            <translation>学多快</translation>
        </message>
        <message>
            <source>How precisely</source>
            <translation>多精确</translation>
        </message>
        <message>
            <source>reading the data</source>
            <translation>正在读取数据</translation>
        </message>
        <message>
            <source>%1 / %2</source>
            <translation>%1 / %2</translation>
        </message>
        <message numerus="yes">
            <source>%Ln update(s) in all</source>
            <translation>
                <numerusform>共 %Ln 步更新</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln update(s) per epoch</source>
            <translation>
                <numerusform>每轮 %Ln 步更新</numerusform>
            </translation>
        </message>
        <message>
            <source>What it comes to</source>
            <translation>合计</translation>
        </message>
        <message>
            <source>Updates in all</source>
            <translation>总更新步数</translation>
        </message>
        <message>
            <source>Updates per epoch</source>
            <translation>每轮更新步数</translation>
        </message>
        <message>
            <source>Pictures for training / validation</source>
            <translation>训练 / 验证图片</translation>
        </message>
        <message>
            <source>Name and checkpoints</source>
            <translation>名称与检查点</translation>
        </message>
        <message>
            <source>When it stops</source>
            <translation>何时停止</translation>
        </message>
        <message>
            <source>%1 = %2 devices × %3</source>
            <translation>%1 = %2 个设备 × %3</translation>
        </message>
</context>
<context>
        <name>trainyard::ui::TryView</name>
        <message>
            <source>Pictures to try</source>
            <translation>要试的图片</translation>
        </message>
        <message>
            <source>%1, %2</source>
            <translation>%1，%2</translation>
        </message>
        <message>
            <source>Choose pictures…</source>
            <translation>选择图片…</translation>
        </message>
        <message>
            <source>Or drop them here. The best checkpoint answers; nothing is changed.</source>
            <translation>或拖放到这里。由最佳检查点作答；不改动任何东西。</translation>
        </message>
        <message>
            <source>Once a checkpoint is saved, pictures can be tried here.</source>
            <translation>保存检查点之后，就可以在这里试图片。</translation>
        </message>
</context>
<context>
        <name>trainyard::ui::VerdictBar</name>
        <message>
            <source>Why?</source>
            <translation>为什么？</translation>
        </message>
</context>
<context>
        <name>trainyard::ui::DeviceList</name>
        <message>
            <source>Automatic</source>
            <translation>自动</translation>
        </message>
        <message>
            <source>The first GPU, else the CPU</source>
            <translation>第一个 GPU，没有则用 CPU</translation>
        </message>
        <message>
            <source>CPU</source>
            <translation>CPU</translation>
        </message>
        <message>
            <source>%1 of %2</source>
            <translation>%1 / %2</translation>
        </message>
        <message numerus="yes">
            <source>%n thread(s)</source>
            <translation>
                <numerusform>%n 个线程</numerusform>
            </translation>
        </message>
        <message>
            <source>GPU %1</source>
            <translation>GPU %1</translation>
        </message>
        <message>
            <source>%1 % busy</source>
            <translation>忙碌 %1 %</translation>
        </message>
        <message>
            <source>not in this computer</source>
            <translation>这台电脑上没有</translation>
        </message>
        <message>
            <source>Memory in use by all programs</source>
            <translation>所有程序占用的内存</translation>
        </message>
        <message>
            <source>CPU ranks</source>
            <translation>CPU 份数</translation>
        </message>
        <message>
            <source>More than one does what several GPUs would, on shares of the cores: to try a strategy out.</source>
            <translation>多于一份时，像多个 GPU 那样分工，各用一部分核心：用来试策略。</translation>
        </message>
</context>
<context>
        <name>trainyard::ui::MachinesCard</name>
        <message>
            <source>Machine 1 (this address)</source>
            <translation>机器 1（即该地址）</translation>
        </message>
        <message>
            <source>Machine %1</source>
            <translation>机器 %1</translation>
        </message>
        <message>
            <source>Copy</source>
            <translation>复制</translation>
        </message>
        <message>
            <source>Hide</source>
            <translation>收起</translation>
        </message>
        <message>
            <source>Show the commands</source>
            <translation>显示命令</translation>
        </message>
        <message>
            <source>On several machines</source>
            <translation>用多台机器</translation>
        </message>
        <message>
            <source>The same training on several computers at once: start one command on each. Each needs Trainyard, this recipe and the data, under the same paths. The first one keeps the run.</source>
            <translation>同一个训练同时用多台电脑：每台执行一条命令。每台都要有 Trainyard、这份配方和数据，且路径相同。训练记录保存在第一台上。</translation>
        </message>
        <message>
            <source>With one device there is no work to share: choose another strategy above first.</source>
            <translation>单设备没有工作可分：请先在上面选别的策略。</translation>
        </message>
        <message>
            <source>Machines</source>
            <translation>机器数</translation>
        </message>
        <message>
            <source>Address of the first</source>
            <translation>第一台的地址</translation>
        </message>
        <message>
            <source>Port</source>
            <translation>端口</translation>
        </message>
        <message>
            <source>Only on a private network: neither the place where the machines meet nor what they send each other is checked or encrypted. Whoever reaches the port can join or listen.</source>
            <translation>只在专用网络中使用：机器会合的端口和相互传输的内容都不验证、不加密。能连到该端口的人都可以加入或窃听。</translation>
        </message>
        <message>
            <source>such as 192.168.1.17</source>
            <translation>例如 192.168.1.17</translation>
        </message>
</context>
<context>
        <name>trainyard::ui::StageEditor</name>
        <message>
            <source>%1: %2 of the work, %3 parameters</source>
            <translation>%1：计算量 %2，参数 %3</translation>
        </message>
        <message>
            <source>Each stage is one device&apos;s part of the network. Drag a cut, or move it with ← and → (↑ and ↓ choose another).</source>
            <translation>每段是一个设备负责的那部分网络。拖动切口，或用 ← → 移动（↑ ↓ 换一个切口）。</translation>
        </message>
        <message>
            <source>The blocks of the network appear here as soon as its size is worked out.</source>
            <translation>估算出网络大小后，这里会显示它的各个块。</translation>
        </message>
        <message>
            <source>With %1 parts of a batch a stage waits about %2 of the time for the others.</source>
            <translation>每批分 %1 份时，每段约有 %2 的时间在等其他段。</translation>
        </message>
        <message>
            <source>Stage %1</source>
            <translation>第 %1 段</translation>
        </message>
        <message>
            <source>%1 on %2</source>
            <translation>%1，%2</translation>
        </message>
        <message>
            <source>%1 to %2</source>
            <translation>%1 至 %2</translation>
        </message>
        <message>
            <source>%1 of the work</source>
            <translation>计算量 %1</translation>
        </message>
        <message>
            <source>%1 parameters</source>
            <translation>参数 %1</translation>
        </message>
        <message>
            <source>Where it is cut</source>
            <translation>切在哪里</translation>
        </message>
        <message>
            <source>Equal shares again</source>
            <translation>恢复均分</translation>
        </message>
        <message>
            <source>Cuts the network so that every stage has about the same work.</source>
            <translation>切分网络，使每段的计算量大致相同。</translation>
        </message>
        <message>
            <source>Left and Right move a cut between two stages, Up and Down choose the cut.</source>
            <translation>左右键移动两段之间的切口，上下键选择切口。</translation>
        </message>
</context>
<context>
        <name>trainyard::ui::StrategyCards</name>
        <message>
            <source>Not possible here.</source>
            <translation>这里用不了。</translation>
        </message>
        <message>
            <source>about %1 on each device</source>
            <translation>每个设备约 %1</translation>
        </message>
        <message>
            <source>about %1</source>
            <translation>约 %1</translation>
        </message>
        <message>
            <source>about %1 × as fast as one</source>
            <translation>速度约为单设备的 %1 倍</translation>
        </message>
        <message>
            <source>Working out memory and speed…</source>
            <translation>正在估算内存和速度……</translation>
        </message>
        <message>
            <source>%1 pictures at a time on a device, %2 parts in an update.</source>
            <translation>每个设备一次 %1 张图片，每次更新 %2 份。</translation>
        </message>
        <message>
            <source>%1 pictures at a time on a device.</source>
            <translation>每个设备一次 %1 张图片。</translation>
        </message>
        <message>
            <source>Needs at least two devices.</source>
            <translation>至少需要两个设备。</translation>
        </message>
        <message>
            <source>%1 pictures of each update over %2 devices: %3 or one more each.</source>
            <translation>每次更新的 %1 张图片分到 %2 个设备：每个 %3 张或多一张。</translation>
        </message>
        <message>
            <source>Dropout repeats for this number of devices and this strategy, and is drawn differently for others.</source>
            <translation>dropout 在同样的设备数和方式下可重复；换了设备数或方式，抽取就不同。</translation>
        </message>
        <message>
            <source>Batch norm takes the mean of what one device computes at once, so the numbers differ from those of one device.</source>
            <translation>批归一化取单个设备一次计算的均值，所以结果与单设备不同。</translation>
        </message>
</context>
<context>
        <name>trainyard::ui::StrategyPlan</name>
        <message>
            <source>Known once every value is fine: %1</source>
            <translation>所有值都正确后才知道：%1</translation>
        </message>
</context>
<context>
        <name>trainyard::ui::TimeBars</name>
        <message>
            <source>Computing</source>
            <translation>计算</translation>
        </message>
        <message>
            <source>Communication</source>
            <translation>通信</translation>
        </message>
        <message>
            <source>Waiting for data</source>
            <translation>等数据</translation>
        </message>
        <message>
            <source>Idle</source>
            <translation>空闲</translation>
        </message>
        <message>
            <source>%1, rank %2</source>
            <translation>%1，第 %2 份</translation>
        </message>
        <message>
            <source>%1: %2 ms an update</source>
            <translation>%1：每次更新 %2 毫秒</translation>
        </message>
        <message>
            <source>%1: %2 (%3 ms)</source>
            <translation>%1：%2（%3 毫秒）</translation>
        </message>
</context>
<context>
        <name>trainyard::ui::TimeCard</name>
        <message>
            <source>Time of each device</source>
            <translation>各设备的时间</translation>
        </message>
</context>
<context>
        <name>trainyard::ui::WhereCard</name>
        <message>
            <source>On which devices</source>
            <translation>用哪些设备</translation>
        </message>
        <message>
            <source>How they share the work</source>
            <translation>如何分工</translation>
        </message>
</context>
</TS>
