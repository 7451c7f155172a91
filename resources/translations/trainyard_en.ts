<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en">
<context>
        <name>Findings</name>
        <message numerus="yes">
            <source>%Ln picture(s) look alike</source>
            <translation>
                <numerusform>%Ln picture looks alike</numerusform>
                <numerusform>%Ln pictures look alike</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln look-alike(s) in both parts</source>
            <translation>
                <numerusform>%Ln look-alike in both parts</numerusform>
                <numerusform>%Ln look-alikes in both parts</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln copy(ies) in different classes</source>
            <translation>
                <numerusform>%Ln copy in different classes</numerusform>
                <numerusform>%Ln copies in different classes</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln file(s) with the wrong ending</source>
            <translation>
                <numerusform>%Ln file with the wrong ending</numerusform>
                <numerusform>%Ln files with the wrong ending</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln very long or tall picture(s)</source>
            <translation>
                <numerusform>%Ln very long or tall picture</numerusform>
                <numerusform>%Ln very long or tall pictures</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln cut short</source>
            <translation>
                <numerusform>%Ln cut short</numerusform>
                <numerusform>%Ln cut short</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln empty</source>
            <translation>
                <numerusform>%Ln empty</numerusform>
                <numerusform>%Ln empty</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln damaged</source>
            <translation>
                <numerusform>%Ln damaged</numerusform>
                <numerusform>%Ln damaged</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln picture(s) cannot be read</source>
            <translation>
                <numerusform>%Ln picture cannot be read</numerusform>
                <numerusform>%Ln pictures cannot be read</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln copy(ies) in both parts</source>
            <translation>
                <numerusform>%Ln copy in both parts</numerusform>
                <numerusform>%Ln copies in both parts</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln exact copy(ies)</source>
            <translation>
                <numerusform>%Ln exact copy</numerusform>
                <numerusform>%Ln exact copies</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln turned by EXIF</source>
            <translation>
                <numerusform>%Ln turned by EXIF</numerusform>
                <numerusform>%Ln turned by EXIF</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln CMYK</source>
            <translation>
                <numerusform>%Ln CMYK</numerusform>
                <numerusform>%Ln CMYK</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln with transparent parts</source>
            <translation>
                <numerusform>%Ln with transparent parts</numerusform>
                <numerusform>%Ln with transparent parts</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln with 16 bits</source>
            <translation>
                <numerusform>%Ln with 16 bits</numerusform>
                <numerusform>%Ln with 16 bits</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>“%1” has %Ln picture(s)</source>
            <translation>
                <numerusform>“%1” has %Ln picture</numerusform>
                <numerusform>“%1” has %Ln pictures</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln class(es) with very few pictures</source>
            <translation>
                <numerusform>%Ln class with very few pictures</numerusform>
                <numerusform>%Ln classes with very few pictures</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Only %Ln picture(s) held out for checking</source>
            <translation>
                <numerusform>Only %Ln picture held out for checking</numerusform>
                <numerusform>Only %Ln pictures held out for checking</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln unreadable</source>
            <translation>
                <numerusform>%Ln unreadable</numerusform>
                <numerusform>%Ln unreadable</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln in both parts</source>
            <translation>
                <numerusform>%Ln in both parts</numerusform>
                <numerusform>%Ln in both parts</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln duplicate(s)</source>
            <translation>
                <numerusform>%Ln duplicate</numerusform>
                <numerusform>%Ln duplicates</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln look alike</source>
            <translation>
                <numerusform>%Ln look alike</numerusform>
                <numerusform>%Ln look alike</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln in two classes</source>
            <translation>
                <numerusform>%Ln in two classes</numerusform>
                <numerusform>%Ln in two classes</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln with the wrong ending</source>
            <translation>
                <numerusform>%Ln with the wrong ending</numerusform>
                <numerusform>%Ln with the wrong ending</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln very long or tall</source>
            <translation>
                <numerusform>%Ln very long or tall</numerusform>
                <numerusform>%Ln very long or tall</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln other(s)</source>
            <translation>
                <numerusform>%Ln other</numerusform>
                <numerusform>%Ln others</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Nothing wrong with %Ln picture(s). No file was changed.</source>
            <translation>
                <numerusform>Nothing wrong with %Ln picture. No file was changed.</numerusform>
                <numerusform>Nothing wrong with %Ln pictures. No file was changed.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln of %1 photos need(s) a look:</source>
            <translation>
                <numerusform>%Ln of %1 photos needs a look:</numerusform>
                <numerusform>%Ln of %1 photos need a look:</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln of %1 pictures need(s) a look:</source>
            <translation>
                <numerusform>%Ln of %1 pictures needs a look:</numerusform>
                <numerusform>%Ln of %1 pictures need a look:</numerusform>
            </translation>
        </message>
</context>
<context>
        <name>Messages</name>
        <message numerus="yes">
            <source>Must have %n value(s).</source>
            <translation>
                <numerusform>Must have %n value.</numerusform>
                <numerusform>Must have %n values.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Must have at least %n value(s).</source>
            <translation>
                <numerusform>Must have at least %n value.</numerusform>
                <numerusform>Must have at least %n values.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Must have at most %n value(s).</source>
            <translation>
                <numerusform>Must have at most %n value.</numerusform>
                <numerusform>Must have at most %n values.</numerusform>
            </translation>
        </message>
</context>
<context>
        <name>trainyard::ui::ComputerPage</name>
        <message numerus="yes">
            <source>%n core(s)</source>
            <translation>
                <numerusform>%n core</numerusform>
                <numerusform>%n cores</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n thread(s)</source>
            <translation>
                <numerusform>%n thread</numerusform>
                <numerusform>%n threads</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n socket(s)</source>
            <translation>
                <numerusform>%n socket</numerusform>
                <numerusform>%n sockets</numerusform>
            </translation>
        </message>
</context>
<context>
        <name>trainyard::ui::CurvesView</name>
        <message numerus="yes">
            <source>%n update(s) skipped</source>
            <translation>
                <numerusform>%n update skipped</numerusform>
                <numerusform>%n updates skipped</numerusform>
            </translation>
        </message>
</context>
<context>
        <name>trainyard::ui::ExclusionsCard</name>
        <message numerus="yes">
            <source>%Ln picture(s)</source>
            <translation>
                <numerusform>%Ln picture</numerusform>
                <numerusform>%Ln pictures</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln class(es)</source>
            <translation>
                <numerusform>%Ln class</numerusform>
                <numerusform>%Ln classes</numerusform>
            </translation>
        </message>
</context>
<context>
        <name>trainyard::ui::FindingsCard</name>
        <message numerus="yes">
            <source>Leave these %n classes out</source>
            <translation>
                <numerusform>Leave these %n classes out</numerusform>
                <numerusform>Leave these %n classes out</numerusform>
            </translation>
        </message>
</context>
<context>
        <name>trainyard::ui::HomePage</name>
        <message numerus="yes">
            <source>%n core(s)</source>
            <translation>
                <numerusform>%n core</numerusform>
                <numerusform>%n cores</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>All %n runs</source>
            <translation>
                <numerusform>All %n run</numerusform>
                <numerusform>All %n runs</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n run(s)</source>
            <translation>
                <numerusform>%n run</numerusform>
                <numerusform>%n runs</numerusform>
            </translation>
        </message>
</context>
<context>
        <name>trainyard::ui::MainWindow</name>
        <message numerus="yes">
            <source>Not started: %n value(s) to fix, first “%1”.</source>
            <translation>
                <numerusform>Not started: %n value to fix, first “%1”.</numerusform>
                <numerusform>Not started: %n values to fix, first “%1”.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n runs keep training.</source>
            <translation>
                <numerusform>%n run keeps training.</numerusform>
                <numerusform>%n runs keep training.</numerusform>
            </translation>
        </message>
</context>
<context>
        <name>trainyard::ui::ModelPage</name>
        <message numerus="yes">
            <source>Your data has %n class(es).</source>
            <translation>
                <numerusform>Your data has %n class.</numerusform>
                <numerusform>Your data has %n classes.</numerusform>
            </translation>
        </message>
</context>
<context>
        <name>trainyard::ui::PictureGrid</name>
        <message numerus="yes">
            <source>Leave %Ln copy(ies) out</source>
            <translation>
                <numerusform>Leave %Ln copy out</numerusform>
                <numerusform>Leave %Ln copies out</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Leave %Ln out</source>
            <translation>
                <numerusform>Leave %Ln out</numerusform>
                <numerusform>Leave %Ln out</numerusform>
            </translation>
        </message>
</context>
<context>
        <name>trainyard::ui::ResultsTab</name>
        <message numerus="yes">
            <source>%n evaluation(s)</source>
            <translation>
                <numerusform>%n evaluation</numerusform>
                <numerusform>%n evaluations</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>None of these is among the pictures kept: the %n with the largest loss.</source>
            <translation>
                <numerusform>None of these is the picture kept: the one with the largest loss (%n).</numerusform>
                <numerusform>None of these is among the pictures kept: the %n with the largest loss.</numerusform>
            </translation>
        </message>
</context>
<context>
        <name>trainyard::ui::SourceCard</name>
        <message numerus="yes">
            <source>%Ln window(s) of text</source>
            <translation>
                <numerusform>%Ln window of text</numerusform>
                <numerusform>%Ln windows of text</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln row(s)</source>
            <translation>
                <numerusform>%Ln row</numerusform>
                <numerusform>%Ln rows</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln picture(s)</source>
            <translation>
                <numerusform>%Ln picture</numerusform>
                <numerusform>%Ln pictures</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln class(es)</source>
            <translation>
                <numerusform>%Ln class</numerusform>
                <numerusform>%Ln classes</numerusform>
            </translation>
        </message>
</context>
<context>
        <name>trainyard::ui::SplitCard</name>
        <message numerus="yes">
            <source>Opened %Ln time(s) so far</source>
            <translation>
                <numerusform>Opened %Ln time so far</numerusform>
                <numerusform>Opened %Ln times so far</numerusform>
            </translation>
        </message>
</context>
<context>
        <name>trainyard::ui::TopBar</name>
        <message numerus="yes">
            <source>%1 is training with other settings: %n difference(s)</source>
            <translation>
                <numerusform>%1 is training with other settings: %n difference</numerusform>
                <numerusform>%1 is training with other settings: %n differences</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n value(s) to fix: %1</source>
            <translation>
                <numerusform>%n value to fix: %1</numerusform>
                <numerusform>%n values to fix: %1</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>and %n more</source>
            <translation>
                <numerusform>and %n more</numerusform>
                <numerusform>and %n more</numerusform>
            </translation>
        </message>
</context>
<context>
        <name>trainyard::ui::TrainPage</name>
        <message numerus="yes">
            <source>%Ln update(s) in all</source>
            <translation>
                <numerusform>%Ln update in all</numerusform>
                <numerusform>%Ln updates in all</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln update(s) per epoch</source>
            <translation>
                <numerusform>%Ln update per epoch</numerusform>
                <numerusform>%Ln updates per epoch</numerusform>
            </translation>
        </message>
</context>
<context>
        <name>trainyard::ui::DeviceList</name>
        <message numerus="yes">
            <source>%n thread(s)</source>
            <translation>
                <numerusform>%n thread</numerusform>
                <numerusform>%n threads</numerusform>
            </translation>
        </message>
</context>
</TS>
